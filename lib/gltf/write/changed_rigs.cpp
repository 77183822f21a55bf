#include "gltf/write/changed_rigs.h"

#include <cassert>

#include "gltf/document/json_member.h"
#include "gltf/write/animations/animation_writer.h"
#include "gltf/write/document/document_writer.h"
#include "gltf/write/document/source_document.h"
#include "gltf/write/document/unused_elements.h"
#include "gltf/write/meshes/morph_writer.h"
#include "gltf/write/meshes/plain_triangles.h"
#include "gltf/write/meshes/skin_writer.h"
#include "gltf/write/rig_file.h"

namespace skinbake {

namespace gltf {

void add_changes(const Asset& asset, std::span<const RigChanges> changes, DocumentWriter& writer) {
  for (const RigChanges& of_rig : changes) {
    for (const ClipKeys& keys : of_rig.clips) {
      require_distinct_times(keys.frames, keys.clip->id);
    }
  }
  for (const RigChanges& of_rig : changes) {
    add_morphs(writer, of_rig, asset.clips);
    add_skin(writer, of_rig);
    write_plain_triangles(writer, of_rig);
    erase_without_targets(writer, of_rig);
  }
}

std::uint64_t more_than(std::uint64_t before, std::uint64_t after) {
  return after > before ? after - before : 0;
}

}  // namespace gltf

std::vector<std::string> target_names(const Asset& asset, NodeIndex node) {
  assert(asset.source);
  const nlohmann::json& gltf = asset.source->json;
  const auto mesh = gltf::member(gltf["nodes"][static_cast<std::size_t>(node)], "mesh");
  std::vector<std::string> names;
  if (!gltf::whole_number(mesh)) return names;
  const nlohmann::json& of_mesh = gltf["meshes"][mesh.get<std::size_t>()];
  for (const nlohmann::json& name : gltf::member(gltf::member(of_mesh, "extras"), "targetNames")) {
    if (name.is_string()) names.push_back(name.get<std::string>());
  }
  return names;
}

WrittenChanges write_changed_rigs(const Asset& asset, std::span<const RigChanges> changes,
                                  const ChangeEncoding& encoding, OutputFile& file) {
  assert(asset.source);
  gltf::DocumentWriter writer(asset.source, encoding);
  const std::uint64_t before = writer.bytes();
  gltf::add_changes(asset, changes, writer);
  gltf::erase_unused(asset.source->json, writer.document().whole());
  const std::uint64_t bytes = writer.write(file);
  return {bytes, gltf::more_than(before, bytes)};
}

std::uint64_t bytes_of_changes(const Asset& asset, std::span<const RigChanges> changes,
                               const ChangeEncoding& encoding) {
  assert(asset.source);
  gltf::DocumentWriter writer(asset.source, encoding);
  const std::uint64_t before = writer.bytes();
  gltf::add_changes(asset, changes, writer);
  gltf::erase_unused(asset.source->json, writer.document().whole());
  return gltf::more_than(before, writer.bytes());
}

}  // namespace skinbake
