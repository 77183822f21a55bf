#include "humanoid/muscles/limits.h"

#include <algorithm>

namespace skinbake {

namespace {

constexpr double kTolerance_deg = 1e-3;

double excess_of(double degrees, const MuscleRange& range) {
  return std::max(degrees - range.max_deg, range.min_deg - degrees);
}

// Adds a frame to the frames outside the range.
void add_frame(MuscleExcess& muscle, std::int64_t frame, std::int64_t step, double degrees) {
  if (!muscle.runs.empty() && muscle.runs.back().last + step == frame) {
    muscle.runs.back().last = frame;
  } else {
    muscle.runs.push_back({frame, frame});
  }
  muscle.frames += 1;
  const double excess = excess_of(degrees, muscle.range);
  if (excess <= muscle.worst_excess_deg) return;
  muscle.worst_excess_deg = excess;
  muscle.worst_angle_deg = degrees;
  muscle.worst_frame = frame;
}

}  // namespace

std::vector<MuscleExcess> muscles_outside(const PoseSource& motion, const FrameRange& frames,
                                          const MuscleRanges& ranges) {
  const PerMuscle<MuscleRange> allowed = ranges_with(ranges);
  std::vector<MuscleExcess> found(kMuscleCount);
  for (std::int64_t k = 0; k < frames.frame_count; ++k) {
    const auto degrees = degrees_of(rotations_of(motion.pose(frames.time_s(k))));
    for (std::size_t m = 0; m < kMuscleCount; ++m) {
      found[m].muscle = &muscles()[m];
      found[m].range = allowed[m];
      if (!(excess_of(degrees[m], allowed[m]) > kTolerance_deg)) continue;
      add_frame(found[m], frames.frame(k), frames.frame_step, degrees[m]);
    }
  }
  std::erase_if(found, [](const MuscleExcess& muscle) { return muscle.frames == 0; });
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.worst_excess_deg > b.worst_excess_deg;
  });
  return found;
}

}  // namespace skinbake
