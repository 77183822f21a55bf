// Frames for the 3D viewer of the HTML page: clips by several methods, quantized to fit one file.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "skinbake/frames.h"

namespace skinbake {

// Whether this build contains the viewer (CMake option SKINBAKE_VIEWER).
bool has_viewer();

// Quantized frames of one mesh by one method, and their distances from a reference. Without a
// reference the last three arrays are empty.
struct ViewFrames {
  std::vector<float> boxes;              // [frame][6] lowest x y z, highest x y z of the frame
  std::vector<std::uint16_t> positions;  // [frame][vertex][axis] 65535ths of the frame's box
  std::vector<float> largest_m;          // [frame] largest error, metres
  std::vector<std::uint8_t> errors;      // [frame][vertex] 255ths of the frame's largest error
  std::vector<float> worst_m;            // [vertex] largest error over all frames of the run
};

// A sink that keeps every `stride`-th frame of a run.
class ViewRecorder : public FrameSink {
 public:
  virtual ViewFrames take() = 0;  // once, after the bake
};

// `has_reference`: whether the plan has a reference.
std::unique_ptr<ViewRecorder> record_view(const Rig& rig, const FrameRange& frames,
                                          std::int64_t stride, bool has_reference);

struct ViewRun {
  std::size_t mesh = 0;  // index into View::meshes
  std::string method;
  ViewFrames frames;
};

// Successive frames on the page whose pose has one name, as pose_name() has it.
struct ViewPose {
  std::int64_t first = 0;  // of ViewClip::kept, counted from 0; the last is before the next pose
  std::string name;        // may be empty
};

// The joints of all meshes in the frames on the page. Empty: not known.
struct ViewSkeleton {
  std::vector<std::string> joints;  // as the report names them
  std::vector<int> parents;         // [joint] index of the nearest ancestor that is a joint, or -1
  std::vector<float> positions;     // [frame][joint][axis] metres; NaN where not finite
};

struct ViewClip {
  std::string id;        // empty: the rest pose
  FrameRange all, kept;  // frames of the run; frames on the page
  std::vector<ViewRun> runs;
  std::vector<ViewPose> poses = {};  // ascending; empty: no pose has a name
  ViewSkeleton skeleton = {};
};

struct View {
  std::vector<const Rig*> meshes;
  Space space = Space::kScene;
  std::string reference;
  std::vector<ViewClip> clips;
};

// The names of a clip's poses. The clip may be null: the rest pose.
std::vector<ViewPose> view_poses(const Clip* clip, const FrameRange& kept);

// The joints of the skinned meshes, each once, in scene space. Empty in the space of a mesh. The
// clip may be null: the rest pose.
ViewSkeleton view_skeleton(std::span<const Rig* const> rigs, const Clip* clip,
                           const FrameRange& kept, Space space);

// The range of every `stride`-th frame of `frames`.
FrameRange thinned(const FrameRange& frames, std::int64_t stride);

// The frames of one clip that a page would show without a limit of size.
struct ViewDemand {
  std::int64_t frame_count = 0;
  std::vector<const Rig*> rigs;  // [run]
};

// The largest size of a page's frames, 47 MiB, which base64 turns into 63 MiB. The viewer's script
// adds half a MiB.
inline constexpr std::uint64_t kMostViewBytes = std::uint64_t{47} << 20;

// The stride of each clip with which all runs together need no more than `most` bytes. One frame
// limit applies to every clip, so that long clips are thinned before short ones. Throws Error
// (kUsage, VIEW_TOO_LARGE) if one frame of each run already needs more.
std::vector<std::int64_t> view_strides(std::span<const ViewDemand> clips,
                                       std::uint64_t most = kMostViewBytes);

}  // namespace skinbake
