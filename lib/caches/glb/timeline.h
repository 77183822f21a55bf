// The frames of all clips of a baked GLB, one clip after another, and the meshes that show them.
//
// Without split=1, one mesh shows all frames: its base is the first frame of the first clip, and
// every other frame is a morph target. With split=1, no mesh has more targets than the limit.
// Clips share a mesh as long as it has room. A clip with more frames is cut: the last frame of a
// mesh is also the base of the next one, so that programs interpolate between any two frames.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace skinbake {

// Frames of the file, [first, end).
struct GlbFrameSpan {
  std::size_t first = 0, end = 0;

  std::size_t count() const { return end - first; }
  bool contains(std::size_t frame) const { return first <= frame && frame < end; }
};

struct GlbTimeline {
  std::vector<GlbFrameSpan> clips;
  std::vector<GlbFrameSpan> parts;        // of each mesh; the first frame of a part is its base
  std::vector<std::size_t> first_blocks;  // [clip], and the number of all blocks

  std::size_t frame_count() const { return clips.back().end; }
  std::size_t target_count(std::size_t part) const { return parts[part].count() - 1; }

  // Blocks of 16 frames do not cross clips.
  std::size_t first_block(std::size_t clip) const { return first_blocks[clip]; }
  std::size_t block_count() const { return first_blocks.back(); }
  std::size_t block_of(std::size_t frame) const;

  // The part whose base is this frame; none: the frame is not a base.
  std::optional<std::size_t> part_of_base(std::size_t frame) const;
  // The part that has this frame as a target; none: the frame is only a base.
  std::optional<std::size_t> part_of_target(std::size_t frame) const;

  // The parts that show a clip, [first, end); they are in the order of the frames.
  struct Parts {
    std::size_t first = 0, end = 0;

    std::size_t count() const { return end - first; }
  };
  Parts parts_of(std::size_t clip) const;

  // The frames of a clip that a part shows; empty: the part does not belong to the clip.
  GlbFrameSpan shown(std::size_t part, std::size_t clip) const;
};

// `counts`: the number of frames of each clip, at least 1. `max_targets`: of a part, a multiple of
// kFramesPerBlock, so that the base of a part is the first frame of a block; 0: no limit.
GlbTimeline plan_timeline(std::span<const std::int64_t> counts, std::size_t max_targets);

}  // namespace skinbake
