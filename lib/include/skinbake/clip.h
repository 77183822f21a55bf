// A clip is keyframed motion. A FrameRange is the set of instants at which it is sampled.
//
// All structs are plain data. Concurrent reads are safe.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "skinbake/error.h"
#include "skinbake/rig.h"

namespace skinbake {

enum class Interpolation { kStep, kLinear, kCubicSpline };
enum class ChannelPath { kTranslation, kRotation, kScale, kWeights };

// The keyframes of one property of one node.
struct Channel {
  NodeIndex node = -1;
  ChannelPath path = ChannelPath::kTranslation;
  Interpolation interpolation = Interpolation::kLinear;
  int width = 3;         // numbers per value: 3, 4 (x y z w), or the number of morph weights
  int first_weight = 0;  // index of the first morph weight
  std::shared_ptr<const std::vector<double>> times;   // [key] seconds, not descending, not empty
  std::shared_ptr<const std::vector<double>> values;  // [key][width]; cubic: [key][3][width]
  // first_weight alone moves, whatever the number of the mesh's weights (KHR_animation_pointer).
  bool is_one_weight = false;
};

class ClipMotion;  // internal

struct Clip {
  std::string id;  // unique: the clip's name if no other clip has it, else "#<index>"
  int index = 0;   // position in the file
  std::string name;
  double duration_s = 0;  // the greatest key time of all channels, including unmatched ones
  std::vector<Channel> channels;
  // Moves further nodes, as match_clip, range_of_motion and load_poses do; null: none.
  std::shared_ptr<const ClipMotion> motion = nullptr;
};

// What the pose of a clip at an instant is called: "forearm twist at +90°". Poses of
// range_of_motion and load_poses have names; others, and the rest pose (null), have an empty one.
// Thread-safe.
std::string pose_name(const Clip* clip, double time_s);

// The bones of a human body that the clip would turn if their nodes did not have a matrix with
// shear or a scale of zero, in the order of the skeleton.
std::vector<NodeIndex> stuck_bones(const Clip& clip);

// `frame_count` frames with the numbers first_frame, first_frame + frame_step, … Frame i is at
// i / fps seconds. k counts the frames of the range from 0.
// Preconditions: fps > 0, frame_step > 0, frame_count >= 0.
struct FrameRange {
  double fps = 30;
  std::int64_t first_frame = 0;
  std::int64_t frame_step = 1;
  std::int64_t frame_count = 1;

  std::int64_t frame(std::int64_t k) const { return first_frame + k * frame_step; }
  double time_s(std::int64_t k) const { return static_cast<double>(frame(k)) / fps; }
};

// The rates that frames may have, in frames per second. Beyond them, the times of frames in reports
// would not be finite numbers.
inline constexpr double kMinFps = 1e-15, kMaxFps = 1e15;
constexpr bool is_frame_rate(double fps) {
  return fps >= kMinFps && fps <= kMaxFps;
}

// Returns the number of the last frame of a clip: floor(duration_s * fps + 1e-3). The tolerance is
// for key times in float32, which store a duration of a whole number of frames slightly too short.
std::int64_t last_frame(double duration_s, double fps);

// All frames of a clip, from 0 to the last: at least one.
// Throws Error (kUsage): FPS_INVALID unless is_frame_rate(fps); TOO_MANY_FRAMES beyond
// 2147483647 frames.
FrameRange frames_of(const Clip& clip, double fps = 30);

// How far the last frame of a clip is from its first, which it should repeat if the clip is played
// as a loop.
struct LoopGap {
  const Rig* rig = nullptr;  // the mesh with the largest gap; null: there is no joint with vertices
  std::string joint;    // of this mesh: the name of its node, or "#<node>"; empty: morph targets
  double metres = 0;    // the farthest that a corner of the box around the joint's vertices, or a
                        // vertex of the morph targets, moves
  double relative = 0;  // metres over the diagonal of the mesh in frame 0; infinite if that is 0
};

// Compares the joints and the morph weights of all rigs at frame 0 and at last_frame(). A vertex
// belongs to the joint with its largest weight. Precondition: the clip moves the
// skeleton of the rigs. Thread-safe.
LoopGap loop_gap(std::span<const Rig* const> rigs, const Clip& clip, double fps);

// The warning LOOP_OPEN if the gap exceeds 1e-3 of the diagonal. `file` is the file in the issue.
Issues loop_issues(const LoopGap& gap, const Clip& clip, double fps, const std::string& file);

}  // namespace skinbake
