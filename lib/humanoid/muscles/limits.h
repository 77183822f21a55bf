// The frames in which the muscles of a motion leave their ranges.

#pragma once

#include <cstdint>
#include <vector>

#include "humanoid/motion/pose_source.h"
#include "humanoid/muscles/muscles.h"
#include "skinbake/clip.h"

namespace skinbake {

// Frames first, first + step, … last of a frame range.
struct FrameRun {
  std::int64_t first = 0, last = 0;
};

// A muscle that leaves its range.
struct MuscleExcess {
  const Muscle* muscle = nullptr;
  MuscleRange range;           // that it should keep
  std::vector<FrameRun> runs;  // all frames outside the range, ascending
  std::int64_t frames = 0;     // their number
  std::int64_t worst_frame = 0;
  double worst_angle_deg = 0;   // of the muscle in that frame
  double worst_excess_deg = 0;  // beyond the range, positive
};

// The muscles that leave their range by more than 0.001 degrees in one of the frames: the greatest
// excess first. Frames of float keys miss an end of a range by less.
std::vector<MuscleExcess> muscles_outside(const PoseSource& motion, const FrameRange& frames,
                                          const MuscleRanges& ranges);

}  // namespace skinbake
