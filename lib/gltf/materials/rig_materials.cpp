#include "gltf/materials/rig_materials.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <set>

#include "base/error_text.h"
#include "gltf/document/extensions.h"
#include "gltf/document/open_document.h"
#include "gltf/loaders.h"
#include "gltf/materials/materials.h"
#include "gltf/mesh/compressed.h"

namespace skinbake {

namespace {

// The mesh of a rig. Throws Error if the file does not have the rig's primitives.
int mesh_of(const gltf::Document& document, const Rig& rig) {
  const auto node = static_cast<std::size_t>(rig.node);
  const auto& nodes = document.model.nodes;
  const int mesh = node < nodes.size() ? nodes[node].mesh : -1;
  const bool is_same =
      mesh >= 0 && document.model.meshes[static_cast<std::size_t>(mesh)].primitives.size() ==
                       rig.mesh->primitives.size();
  if (!is_same) {
    document.fail("FILE_UNREADABLE", {"the file", ""}, "has changed while it was read; try again");
  }
  return mesh;
}

RigMaterials read_materials(const Asset& asset, const LoadOptions& options) {
  gltf::Document document = gltf::open_document(asset.path, options, gltf::Role::kRig);
  gltf::check_extensions(document);
  std::set<int> meshes;
  for (const Rig& rig : asset.rigs) meshes.insert(mesh_of(document, rig));
  for (const int mesh : meshes) gltf::decompress_primitives(document, mesh);
  document.issues.clear();  // load_asset has reported them
  document.noted = {};
  RigMaterials result{gltf::load_materials(document, asset.rigs), {}, {}};
  const auto is_image = [](const Issue& issue) { return issue.code == "IMAGE_LEFT_OUT"; };
  std::copy_if(document.issues.begin(), document.issues.end(), std::back_inserter(result.issues),
               is_image);
  return result;
}

}  // namespace

RigMaterials load_rig_materials(const Asset& asset, LoadOptions options) {
  options.materials = true;
  options.source = options.tangents = false;
  options.memory_taken += memory_of(asset);
  try {
    return read_materials(asset, options);
  } catch (const Error& error) {
    return {nullptr, std::string(unlocated_message(error)), {}};
  } catch (const std::bad_alloc&) {
    return {nullptr, "the system does not have enough memory for them", {}};
  }
}

}  // namespace skinbake
