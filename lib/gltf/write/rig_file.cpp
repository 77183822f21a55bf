#include "gltf/write/rig_file.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "clip/sampling/clip_tracks.h"
#include "gltf/document/json_member.h"
#include "gltf/document/message_text.h"
#include "gltf/write/animation_writer.h"
#include "gltf/write/change_writers.h"
#include "gltf/write/document_writer.h"
#include "gltf/write/source_document.h"
#include "gltf/write/unused_elements.h"

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

WrittenRig write_rig(const Asset& asset, std::span<const AddedClip> clips, OutputFile& file,
                     const std::function<void(std::int64_t)>& progress) {
  assert(asset.source);
  gltf::DocumentWriter writer(asset.source);
  gltf::AnimationWriter animations(writer);
  WrittenRig written;
  std::int64_t done = 0;
  for (const AddedClip& added : clips) {
    const FrameRange frames = with_exact_end(added.frames, *added.clip);
    gltf::require_distinct_times(frames, added.name);
    std::vector<ClipTrack> tracks =
        clip_tracks(*asset.skeleton, asset.rigs, *added.clip, frames, [&](std::int64_t sampled) {
          if (progress) progress(done + std::min(sampled, added.frames.frame_count));
        });
    done += added.frames.frame_count;
    require_finite(tracks, asset, added);
    const auto channels = static_cast<std::int64_t>(tracks.size());
    std::string name = animations.add(added.name, frames, std::move(tracks), asset.skeleton->nodes);
    WrittenClip& clip = written.clips.emplace_back(
        WrittenClip{std::move(name), channels, added.frames.frame_count, {}});
    if (frames.frame_count > clip.frames) clip.end_s = frames.end_s;
  }
  written.bytes = writer.write(file);
  return written;
}

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
