// What a report says of each method, over all of its meshes and clips.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "skinbake/recommendation.h"
#include "skinbake/report.h"

namespace skinbake {

// One method, or one with an engine's profile: its worst values, and what it costs. None: not
// measured.
struct MethodStanding {
  std::string method;             // RunRecord::name()
  std::optional<double> cost;     // linear blending is 1; of the method at its defaults
  std::optional<double> rms;      // of the errors of all vertices, frames, meshes and clips, metres
  std::optional<WorstValue> max;  // error of a vertex, metres
  std::optional<WorstValue> max_relative;  // the same, as a part of its mesh's bind diagonal
  std::optional<WorstValue> loss, gain;    // of volume, 0 or more
  std::optional<WorstValue> joint_loss;    // of the volume of a joint's region
  std::vector<double> volume_changes;  // of every mesh and clip with a volume, the largest first

  // The larger of loss and gain.
  std::optional<WorstValue> volume_change() const;
};

// In the order in which the report has them first.
std::vector<MethodStanding> standings(const Report& report);
// Of one mesh and clip.
std::vector<MethodStanding> standings(const MeshRecord& mesh, const std::string& clip);

enum class RankBy { kVolumeChange, kError };

// By what methods are ranked: how far they are from the reference, if that is the truth and not one
// of themselves or (for `exact`) each of them; or if no method has a volume. Else by how little
// they change the volume.
RankBy rank_by(const std::vector<MethodStanding>& methods, const std::string& reference);

// The best first; those that were not measured last. Volume changes are compared mesh by mesh, the
// largest first: a morph target that changes one mesh under every method decides nothing. Values
// that differ by no more than float32's rounding are equal; then the cheaper method is first.
std::vector<MethodStanding> ranked(std::vector<MethodStanding> methods, RankBy by);

// The cheapest method that keeps every limit; of equally cheap ones, the first.
Recommendation recommend(const std::vector<MethodStanding>& methods,
                         const std::vector<RecommendLimit>& limits);

}  // namespace skinbake
