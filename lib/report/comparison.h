// The methods of a report, compared over all of its meshes and clips.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/recommendation.h"
#include "report/report.h"

namespace skinbake {

// The worst values and the cost of one method, or of one method with an engine's profile. An empty
// optional means "not measured".
struct MethodStanding {
  std::string method;             // RunRecord::name()
  std::optional<double> cost;     // linear blending is 1; of the method with default parameters
  std::optional<double> rms;      // error over all vertices, frames, meshes and clips, metres
  std::optional<WorstValue> max;  // error of a vertex, metres
  std::optional<WorstValue> loss, gain;  // of volume, 0 or more
  std::optional<WorstValue> joint_loss;  // of the volume around a joint
  std::vector<double> volume_changes;    // one per mesh and clip with a volume, descending

  // The larger of loss and gain.
  std::optional<WorstValue> volume_change() const;
};

// The standings of all methods, in the order in which the report first names them.
std::vector<MethodStanding> standings(const Report& report);
// The standings in one mesh and clip.
std::vector<MethodStanding> standings(const MeshRecord& mesh, const std::string& clip);

enum class RankBy { kVolumeChange, kError };

// The quantity that ranks the methods. It is the error if the reference is independent ground truth
// (not one of the methods, and not "exact", where each method is its own reference) or if no method
// has a volume; otherwise it is the change of volume.
RankBy rank_by(const std::vector<MethodStanding>& methods, const std::string& reference);

// The methods, the best first and unmeasured ones last. Volume changes are compared in descending
// order, mesh by mesh, so that a morph target that changes one mesh under every method does not
// decide the order. Values that differ by no more than float32's rounding count as equal; the
// cheaper method is then first.
std::vector<MethodStanding> ranked(std::vector<MethodStanding> methods, RankBy by);

}  // namespace skinbake
