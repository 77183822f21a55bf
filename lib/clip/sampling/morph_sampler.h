// The morph weights of a mesh node at an instant of a clip.

#pragma once

#include <vector>

#include "clip/clip_motion.h"
#include "skinbake/clip.h"

namespace skinbake {

// Thread-safe.
class MorphSampler {
 public:
  // `clip` may be null: the weights at rest. The rig and the clip must outlive the sampler.
  MorphSampler(const Rig& rig, const Clip* clip);

  // Replaces `weights` by those at the instant, [target].
  void sample(double time_s, std::vector<double>& weights) const;

  // The channels that move the weights.
  const std::vector<const Channel*>& channels() const { return channels_; }

 private:
  const Rig* rig_;
  std::vector<const Channel*> channels_;
  const ClipMotion* motion_ = nullptr;  // null: channels alone move the clip
};

}  // namespace skinbake
