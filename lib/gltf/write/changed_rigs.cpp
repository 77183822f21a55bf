#include <cassert>

#include "gltf/write/animation_writer.h"
#include "gltf/write/document_writer.h"
#include "gltf/write/morph_writer.h"
#include "gltf/write/skin_writer.h"
#include "skinbake/tool/rig_file.h"

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
  }
  return before;
}

}  // namespace

WrittenChanges write_changed_rigs(const Asset& asset, std::span<const RigChanges> changes,
                                  const ChangeEncoding& encoding, OutputFile& file) {
  assert(asset.source);
  gltf::DocumentWriter writer(asset.source, encoding);
  const std::uint64_t before = add_changes(asset, changes, writer);
  const std::uint64_t bytes = writer.write(file);
  return {bytes, bytes - before};
}

std::uint64_t bytes_of_changes(const Asset& asset, std::span<const RigChanges> changes,
                               const ChangeEncoding& encoding) {
  assert(asset.source);
  gltf::DocumentWriter writer(asset.source, encoding);
  const std::uint64_t before = add_changes(asset, changes, writer);
  return writer.bytes() - before;
}

}  // namespace skinbake
