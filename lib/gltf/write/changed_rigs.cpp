#include <cassert>

#include "gltf/write/animation_writer.h"
#include "gltf/write/document_writer.h"
#include "gltf/write/morph_writer.h"
#include "gltf/write/skin_writer.h"
#include "skinbake/tool/rig_file.h"

namespace skinbake {

WrittenChanges write_changed_rigs(const Asset& asset, std::span<const RigChanges> changes,
                                  OutputFile& file) {
  assert(asset.source);
  for (const RigChanges& of_rig : changes) {
    for (const ClipKeys& keys : of_rig.clips) {
      gltf::require_distinct_times(keys.frames, keys.clip->id);
    }
  }
  gltf::DocumentWriter writer(asset.source);
  const std::uint64_t before = writer.bytes();
  for (const RigChanges& of_rig : changes) {
    gltf::add_morphs(writer, of_rig, asset.clips);
    gltf::add_skin(writer, of_rig);
  }
  const std::uint64_t bytes = writer.write(file);
  return {bytes, bytes - before};
}

}  // namespace skinbake
