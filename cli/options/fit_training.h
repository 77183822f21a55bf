// The clips from which --influences N:fit learns.

#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "skinbake/fit.h"
#include "skinbake/gltf.h"
#include "skinbake/rig.h"

namespace skinbake::cli {

// Finds the clips by their ids and fits the influences of rigs to them. The clips live as long as
// the object.
class FitTraining {
 public:
  // `own`: the clips of the rig's file, which `asset` no longer has if the run selects clips of
  // other files. `asset` must outlive the object.
  FitTraining(std::vector<Clip> own, const Asset& asset, int threads);

  // Throws Error (kUsage): MODIFIER_INVALID, FIT_WITHOUT_CLIPS; and the errors of
  // range_of_motion for "rom".
  FittedInfluences fit(const Rig& rig, const FitInfluences& fit);

  // "rom" or "rom:PART". Throws the errors of range_of_motion.
  const Clip* range_of_motion_of(const std::string& id);
  // "rom"; null if the rig is not a humanoid.
  const Clip* whole_range_of_motion();

 private:
  TrainingClips clips_of(const FitInfluences& fit);
  TrainingClips all_clips(const FitInfluences& fit);
  const Clip* own_or_selected(const std::string& id) const;

  std::vector<Clip> own_;
  const Asset& asset_;
  int threads_;
  std::deque<Clip> made_;  // "rom" and "rom:PART"; stay in place
};

}  // namespace skinbake::cli
