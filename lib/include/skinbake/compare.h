// Compares two sources of frames, and one method with a reference.

#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "skinbake/bake.h"
#include "skinbake/gltf.h"
#include "skinbake/metrics.h"

namespace skinbake {

// The difference between the frames of a and of b.
struct Difference {
  PositionErrorResult error;         // of b; a is the reference
  bool identical = false;            // equal bytes, and every number is finite
  std::int64_t vertices = 0;         // vertices that differ in any frame
  std::int64_t frames = 0;           // frames in which any vertex differs
  std::array<double, 3> a_at_max{};  // position in a at the largest error
  std::array<double, 3> b_at_max{};  // position in b at the largest error
};

struct DiffPlan {
  const FrameSource* a = nullptr;
  const FrameSource* b = nullptr;
  const Rig* rig = nullptr;  // has as many vertices as the frames
  FrameRange frames;         // has as many frames as a and b
  double bbox_diagonal_m = 0;
  std::vector<double> limits_m;  // for PositionErrorResult::over
  double equal_m = 0;            // vertices differ that are farther apart
  // Whether to compute the numbers per frame and vertex of identical frames too. Without them,
  // identical frames are compared byte by byte only, at the speed of reading.
  bool details = true;
  DistanceRow take_row = {};  // receives every frame's distances; may be empty
  int threads = 0;            // 0: one per processor
  std::function<void(std::int64_t frames_done)> progress;
  const std::atomic<bool>* cancelled = nullptr;
};

struct FrameCounts {
  std::string name;  // of the file
  std::int64_t vertices = 0, frames = 0;
};

// Throws Error (kNotComparable, NOT_COMPARABLE) that names both counts if they differ. `remedy`:
// the end of the message.
void require_comparable(const FrameCounts& a, const FrameCounts& b, const std::string& remedy = "");

// Measures the distance of b from a. Precondition: a and b have the counts of the rig and of the
// frame range. The result does not depend on the thread count. Throws Error (kInput) if a source
// cannot be read, Cancelled if `cancelled` becomes true.
Difference difference_of(const DiffPlan& plan);

// A rig without joints that rests in the first frame. It replaces the bind pose of a cache without
// a rig.
Rig rig_of_first_frame(const FrameSource& source, const std::string& id,
                       std::vector<Primitive> primitives);

// The diagonal of the bounding box of the rig's rest positions, metres.
double bbox_diagonal(const Rig& rig);

// ---- Measurements in one call: one rig, one clip and one method against a reference. metrics.h
// has the metrics themselves, as sinks of any bake.

// Returns the metric of position errors (metrics.h). Relative errors are fractions of the diagonal
// of the rig's bounding box in the bind pose.
// Precondition: the rig is valid (`validate`). Throws std::bad_alloc.
std::unique_ptr<PositionErrorMetric> measure_position_error(const Rig& rig, FrameRange frames,
                                                            ErrorOptions options = {});

// The results of `measure`. Frames in them are positions in the run: frame `k` of the result is
// frame `frames.frame(k)` of the clip.
struct Measurement {
  FrameRange frames;
  double bbox_diagonal_m = 0;                     // of the bind pose
  std::optional<PositionErrorResult> error = {};  // none: not requested
  std::optional<VolumeResult> volume =
      {};  // none: not requested, or the mesh does not have triangles
  // The other requested metrics, in the order of metrics(). Metrics of triangles are absent if the
  // mesh does not have triangles.
  std::vector<MetricResult> others = {};
  Issues issues = {};  // of the baseline and of all metrics; without a file
};

// Bakes the frames and measures them while they are computed; no frame is kept.
//
// `reference`: the positions with which the metric "error" compares: {Reference::Kind::kMethod,
// parse_method("lbs")}, {Reference::Kind::kExact}, or a FrameSource of as many frames and vertices.
// `metrics`: ids of metrics(): {"error", "volume"}. Volumes and lengths are compared with the bind
// pose.
// Throws the exceptions of bake_to_array, and
//   Error (kUsage): METRIC_UNKNOWN for an id that metrics() does not have; REFERENCE_MISSING for
//   "error" without a reference.
// May be called by several threads at once, also with the same rig and clip.
Measurement measure(const OneRun& run, const Reference& reference,
                    const std::vector<std::string>& metrics);

}  // namespace skinbake
