#include "gltf/write/rig_file.h"

#include <cassert>
#include <cmath>
#include <memory>
#include <utility>

#include "clip/sampling/clip_tracks.h"
#include "gltf/document/message_text.h"
#include "gltf/write/animations/animation_writer.h"
#include "gltf/write/document/document_writer.h"
#include "rig/rest_pose.h"

namespace skinbake {

namespace {

// Throws Error (kInput, VALUE_NOT_FINITE).
void require_finite(const std::vector<ClipTrack>& tracks, const Asset& asset,
                    const AddedClip& added) {
  for (const ClipTrack& track : tracks) {
    for (const float key : track.keys) {
      if (std::isfinite(key)) continue;
      const auto node = static_cast<std::size_t>(track.node);
      gltf::fail_at(
          "VALUE_NOT_FINITE", asset.path,
          {gltf::describe("node", node, asset.skeleton->nodes[node].name),
           "/nodes/" + std::to_string(node)},
          "gets a key that is infinite or not a number from clip " + gltf::in_quotes(added.name));
    }
  }
}

}  // namespace

void split_matrices(Asset& asset) {
  auto skeleton = std::make_shared<Skeleton>(*asset.skeleton);
  bool is_split = false;
  for (Node& node : skeleton->nodes) is_split = split_matrix(node) || is_split;
  if (!is_split) return;
  asset.skeleton = std::move(skeleton);
  for (Rig& rig : asset.rigs) rig.skeleton = asset.skeleton;
}

WrittenRig write_rig(const Asset& asset, std::span<const AddedClip> clips, OutputFile& file,
                     const std::function<void(std::int64_t)>& progress) {
  assert(asset.source);
  gltf::DocumentWriter writer(asset.source);
  gltf::AnimationWriter animations(writer);
  WrittenRig written;
  std::int64_t done = 0;
  for (const AddedClip& added : clips) {
    gltf::require_distinct_times(added.frames, added.name);
    std::vector<ClipTrack> tracks = clip_tracks(*asset.skeleton, asset.rigs, *added.clip,
                                                added.frames, [&](std::int64_t frames) {
                                                  if (progress) progress(done + frames);
                                                });
    done += added.frames.frame_count;
    require_finite(tracks, asset, added);
    const auto channels = static_cast<std::int64_t>(tracks.size());
    std::string name =
        animations.add(added.name, added.frames, std::move(tracks), asset.skeleton->nodes);
    written.clips.push_back({std::move(name), channels, added.frames.frame_count});
  }
  written.bytes = writer.write(file);
  return written;
}

}  // namespace skinbake
