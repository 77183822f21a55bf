#include <cassert>

#include "gltf/document/json_member.h"
#include "gltf/write/animation_writer.h"
#include "gltf/write/document_writer.h"
#include "gltf/write/morph_writer.h"
#include "gltf/write/plain_triangles.h"
#include "gltf/write/skin_writer.h"
#include "gltf/write/source_document.h"
#include "gltf/write/unused_elements.h"
#include "skinbake/tool/files/rig_file.h"

namespace skinbake {

namespace {

// Returns the bytes that the file would have without the changes.
std::uint64_t add_changes(const Asset& asset, std::span<const RigChanges> changes,
                          gltf::DocumentWriter& writer) {
  for (const RigChanges& of_rig : changes) {
    for (const ClipKeys& keys : of_rig.clips) {
      gltf::require_distinct_times(keys.frames, keys.clip->id);
    }
  }
  const std::uint64_t before = writer.bytes();
  for (const RigChanges& of_rig : changes) {
    gltf::add_morphs(writer, of_rig, asset.clips);
    gltf::add_skin(writer, of_rig);
    gltf::write_plain_triangles(writer, of_rig);
    gltf::erase_without_targets(writer, of_rig);
  }
  gltf::erase_unused(asset.source->json, writer.document());
  return before;
}

// Fewer influences can make a file smaller.
std::uint64_t more_than(std::uint64_t before, std::uint64_t after) {
  return after > before ? after - before : 0;
}

}  // namespace

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
  const std::uint64_t before = add_changes(asset, changes, writer);
  const std::uint64_t bytes = writer.write(file);
  return {bytes, more_than(before, bytes)};
}

std::uint64_t bytes_of_changes(const Asset& asset, std::span<const RigChanges> changes,
                               const ChangeEncoding& encoding) {
  assert(asset.source);
  gltf::DocumentWriter writer(asset.source, encoding);
  const std::uint64_t before = add_changes(asset, changes, writer);
  return more_than(before, writer.bytes());
}

}  // namespace skinbake
