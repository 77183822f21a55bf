// The frames that a page keeps. Positions are 65535ths of their frame's box, errors 255ths of their
// frame's largest error. Each frame has a separate box, so that one frame with distant vertices
// does not reduce the precision of the others.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>

#include "base/aligned_array.h"
#include "report/viewer/viewer.h"
#include "skinbake/error.h"

namespace skinbake {
namespace {

struct ViewState final : BlockState {
  explicit ViewState(std::size_t vertices) : distances(vertices * kFramesPerBlock) {}
  AlignedArray<float> distances;  // [vertex][frame] metres; empty without a reference
};

// The position of `value` between `low` and `high`, quantized to 0 … parts.
double quantized(double value, double low, double high, int parts) {
  return high > low ? std::floor((value - low) / (high - low) * parts + 0.5) : 0;
}

class Recorder final : public ViewRecorder {
 public:
  Recorder(const Rig& rig, const FrameRange& frames, std::int64_t stride, bool has_reference)
      : vertices_(rig.mesh->vertex_count()), stride_(stride), has_reference_(has_reference) {
    const auto kept = static_cast<std::size_t>(thinned(frames, stride).frame_count);
    frames_.boxes.resize(kept * 6);
    frames_.positions.resize(kept * vertices_ * 3);
    if (!has_reference) return;
    frames_.largest_m.resize(kept);
    frames_.errors.resize(kept * vertices_);
    frames_.worst_m.resize(vertices_);
  }

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<ViewState>(has_reference_ ? vertices_ : 0);
  }
  bool needs_whole_block() const override { return true; }

  void consume(const FrameBlock& tile, BlockState& state) override;
  void finish(const FrameBlock& block, BlockState& state) override;
  void merge(const FrameBlock& block, BlockState& state) override;
  ViewFrames take() override { return std::move(frames_); }

 private:
  void keep_positions(std::size_t kept, const float* lane);
  void keep_errors(std::size_t kept, const float* lane);

  std::size_t vertices_;
  std::int64_t stride_;
  bool has_reference_;
  ViewFrames frames_;
};

template <class Number>
void measure(const FrameBlock& tile, const Number* reference, float* distances) {
  for (std::size_t i = 0; i < std::size_t{tile.vertices.count} * kFramesPerBlock; ++i) {
    const std::size_t at = i / kFramesPerBlock * 3 * kFramesPerBlock + i % kFramesPerBlock;
    double square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t number = at + axis * kFramesPerBlock;
      const double d = double{tile.positions[number]} - double{reference[number]};
      square += d * d;
    }
    // The distance of two float32 positions may exceed the largest float32.
    constexpr double kMost = std::numeric_limits<float>::max();
    distances[i] = static_cast<float>(std::min(std::sqrt(square), kMost));
  }
}

void Recorder::consume(const FrameBlock& tile, BlockState& state) {
  if (!has_reference_) return;
  assert(tile.reference != nullptr || tile.exact != nullptr);
  float* const distances = static_cast<ViewState&>(state).distances.data() +
                           std::size_t{tile.vertices.first} * kFramesPerBlock;
  tile.exact != nullptr ? measure(tile, tile.exact, distances)
                        : measure(tile, tile.reference, distances);
}

void Recorder::keep_positions(std::size_t kept, const float* lane) {
  float* const low = frames_.boxes.data() + kept * 6;
  float* const high = low + 3;
  std::uint16_t* const numbers_of_frame = frames_.positions.data() + kept * vertices_ * 3;
  const std::size_t numbers = vertices_ * 3;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    low[axis] = std::numeric_limits<float>::max();
    high[axis] = std::numeric_limits<float>::lowest();
  }
  for (std::size_t n = 0; n < numbers; ++n) {
    low[n % 3] = std::min(low[n % 3], lane[n * kFramesPerBlock]);
    high[n % 3] = std::max(high[n % 3], lane[n * kFramesPerBlock]);
  }
  for (std::size_t n = 0; n < numbers; ++n) {
    const double value = lane[n * kFramesPerBlock];
    numbers_of_frame[n] =
        static_cast<std::uint16_t>(quantized(value, low[n % 3], high[n % 3], 65535));
  }
}

void Recorder::keep_errors(std::size_t kept, const float* lane) {
  float largest = 0;
  for (std::size_t v = 0; v < vertices_; ++v) {
    largest = std::max(largest, lane[v * kFramesPerBlock]);
  }
  frames_.largest_m[kept] = largest;
  for (std::size_t v = 0; v < vertices_; ++v) {
    frames_.errors[kept * vertices_ + v] =
        static_cast<std::uint8_t>(quantized(lane[v * kFramesPerBlock], 0, largest, 255));
  }
}

// Concurrent blocks write to disjoint frames.
void Recorder::finish(const FrameBlock& block, BlockState& state) {
  const float* const distances = static_cast<ViewState&>(state).distances.data();
  for (int lane = 0; lane < block.frame_count; ++lane) {
    const std::int64_t frame = block.first_frame + lane;
    if (frame % stride_ != 0) continue;
    const auto kept = static_cast<std::size_t>(frame / stride_);
    keep_positions(kept, block.positions + lane);
    if (has_reference_) keep_errors(kept, distances + lane);
  }
}

void Recorder::merge(const FrameBlock& block, BlockState& state) {
  if (!has_reference_) return;
  const float* distances = static_cast<ViewState&>(state).distances.data();
  for (float& worst : frames_.worst_m) {
    worst = std::max(worst, *std::max_element(distances, distances + block.frame_count));
    distances += kFramesPerBlock;
  }
}

// ---- Strides: the number of frames of each clip that a page has room for

// Counts are double, so that products of counts do not overflow.
double vertices_of(const Rig& rig) {
  return rig.mesh->vertex_count();
}

// The bytes of a mesh: its triangles and its bind pose.
double bytes_of_mesh(const Rig& rig) {
  return static_cast<double>(rig.mesh->triangles.size()) * 3 * sizeof(VertexIndex) +
         vertices_of(rig) * 3 * sizeof(std::uint16_t) + 6 * sizeof(float);
}

// The bytes of a run without its frames: the largest error of each vertex.
double bytes_of_run(const Rig& rig) {
  return vertices_of(rig) * sizeof(float);
}

// The bytes of a frame: a position and an error per vertex, a box, the largest error.
double bytes_of_frame(const Rig& rig) {
  return vertices_of(rig) * (3 * sizeof(std::uint16_t) + 1) + 7 * sizeof(float);
}

// The positions of the joints in a frame. Meshes may share joints, which the page has once.
double bytes_of_joints(const Rig& rig) {
  return static_cast<double>(rig.joints.size()) * 3 * sizeof(float);
}

double bytes_without_frames(std::span<const ViewDemand> clips) {
  double bytes = 0;
  std::set<const Rig*> meshes;
  for (const ViewDemand& clip : clips) {
    for (const Rig* rig : clip.rigs) {
      if (meshes.insert(rig).second) bytes += bytes_of_mesh(*rig);
      bytes += bytes_of_run(*rig);
    }
  }
  return bytes;
}

// The smallest stride that keeps no more than `most` frames.
std::int64_t stride_of(std::int64_t frame_count, std::int64_t most) {
  return (frame_count - 1) / most + 1;
}

double bytes_of_frames(std::span<const ViewDemand> clips, std::int64_t most_of_each) {
  double bytes = 0;
  for (const ViewDemand& clip : clips) {
    const std::int64_t stride = stride_of(clip.frame_count, most_of_each);
    const auto kept = static_cast<double>((clip.frame_count - 1) / stride + 1);
    for (const Rig* rig : clip.rigs) bytes += kept * bytes_of_frame(*rig);
    for (const Rig* rig : std::set(clip.rigs.begin(), clip.rigs.end())) {
      bytes += kept * bytes_of_joints(*rig);
    }
  }
  return bytes;
}

[[noreturn]] void fail_too_large(std::span<const ViewDemand> clips, std::uint64_t most) {
  std::size_t runs = 0;
  for (const ViewDemand& clip : clips) runs += clip.rigs.size();
  throw Error("VIEW_TOO_LARGE", "the 3D viewer: one frame of each of " + std::to_string(runs) +
                                    " runs takes more than the " + std::to_string(most) +
                                    " bytes that a page may have");
}

}  // namespace

std::unique_ptr<ViewRecorder> record_view(const Rig& rig, const FrameRange& frames,
                                          std::int64_t stride, bool has_reference) {
  return std::make_unique<Recorder>(rig, frames, stride, has_reference);
}

FrameRange thinned(const FrameRange& frames, std::int64_t stride) {
  const std::int64_t kept = (frames.frame_count - 1) / stride + 1;
  // A single frame gets step 1, because its step times the stride might overflow.
  return {frames.fps, frames.first_frame, kept > 1 ? frames.frame_step * stride : 1, kept,
          frames.end_s};
}

std::vector<std::int64_t> view_strides(std::span<const ViewDemand> clips, std::uint64_t most) {
  const double room = static_cast<double>(most) - bytes_without_frames(clips);
  if (bytes_of_frames(clips, 1) > room) fail_too_large(clips, most);
  std::int64_t longest = 1;
  for (const ViewDemand& clip : clips) longest = std::max(longest, clip.frame_count);
  std::int64_t kept = 1;  // frames of each clip: the largest limit that fits
  for (std::int64_t high = longest; kept < high;) {
    const std::int64_t middle = high - (high - kept) / 2;
    if (bytes_of_frames(clips, middle) <= room) {
      kept = middle;
    } else {
      high = middle - 1;
    }
  }
  std::vector<std::int64_t> strides;
  for (const ViewDemand& clip : clips) strides.push_back(stride_of(clip.frame_count, kept));
  return strides;
}

}  // namespace skinbake
