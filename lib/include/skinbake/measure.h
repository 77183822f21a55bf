// Measurements in one call: one rig, one clip and one method against a reference. metrics.h has the
// metrics themselves, as sinks of any bake.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "skinbake/bake_to.h"
#include "skinbake/metrics.h"

namespace skinbake {

// Returns the metric of position errors (metrics.h). Relative errors are fractions of the diagonal
// of the rig's bounding box in the bind pose.
// Precondition: the rig is valid (validate.h). Throws std::bad_alloc.
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
Measurement measure(const Rig& rig, const Clip* clip, const Method& method,
                    const Reference& reference, const FrameRange& frames,
                    const std::vector<std::string>& metrics, const BakeSettings& settings = {});

}  // namespace skinbake
