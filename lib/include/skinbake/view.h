// The mesh itself on a web page: frames of clips by several methods, small enough for one file.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "skinbake/frames.h"

namespace skinbake {

// Whether this build has the viewer inside: SKINBAKE_VIEWER of CMake.
bool has_viewer();

// Frames of one mesh by one method, and how far they are from a reference.
struct ViewFrames {
  std::vector<float> boxes;              // [frame] the frame's least x y z, and its greatest
  std::vector<std::uint16_t> positions;  // [frame][vertex][axis] 65535ths of the frame's box
  std::vector<float> largest_m;          // [frame] empty, as all that follow: no reference
  std::vector<std::uint8_t> errors;      // [frame][vertex] 255ths of the frame's largest
  std::vector<float> worst_m;            // [vertex] over all frames, also those that are left out
};

// Keeps every `stride`-th frame of a run.
class ViewRecorder : public FrameSink {
 public:
  virtual ViewFrames take() = 0;  // after the bake, once
};

// `has_reference`: the plan has one.
std::unique_ptr<ViewRecorder> record_view(const Rig& rig, const FrameRange& frames,
                                          std::int64_t stride, bool has_reference);

struct ViewRun {
  std::size_t mesh = 0;  // of View::meshes
  std::string method;
  ViewFrames frames;
};

struct ViewClip {
  std::string id;        // empty: the rest pose
  FrameRange all, kept;  // of the run; of the page
  std::vector<ViewRun> runs;
};

struct View {
  std::vector<const Rig*> meshes;
  Space space = Space::kScene;
  std::string reference;
  std::vector<ViewClip> clips;
};

// Every `stride`-th of some frames.
FrameRange thinned(const FrameRange& frames, std::int64_t stride);

// What a clip asks of a page.
struct ViewDemand {
  std::int64_t frame_count = 0;
  std::vector<const Rig*> rigs;  // of each run
};

// Base64 makes them 63 MiB; the viewer is another half.
inline constexpr std::uint64_t kMostViewBytes = std::uint64_t{47} << 20;

// The stride of each clip, so that all runs together take no more than `most` bytes of a page. Every
// clip keeps its frames up to the same number of them: long clips are thinned before short ones.
// Throws Error (kUsage, VIEW_TOO_LARGE) if a single frame of each run is too much.
std::vector<std::int64_t> view_strides(std::span<const ViewDemand> clips,
                                       std::uint64_t most = kMostViewBytes);

}  // namespace skinbake
