// The twist angles of a clip over time, and the poses of the helper joints that share them.
//
//     D      = M_from^-1 M_to            M  posed_from_rest; D is the identity in the bind pose
//     q      = rotation of D (polar)     q = swing * twist about the segment (math/swing_twist.h)
//     phi(t) = the angle of the twist plus the whole turns that bring it nearest to phi at the
//              previous sample; at t = 0, nearest to 0
//
// Samples are at most 1/120 s apart and include all keys. They start at the beginning of the clip
// and do not depend on the frames of the run. If the twist is undefined (a swing of half a turn, or
// a joint scaled to zero), phi keeps its previous value. The tracking is ours: published methods
// use a single pose, which limits the angle to 180 degrees.

#pragma once

#include <optional>
#include <vector>

#include "skinbake/clip.h"

namespace skinbake {

class TwistTracks {
 public:
  // Tracks every chain of rig.twists. `clip` may be null: the rest pose. The rig must outlive the
  // tracks. Throws Error (kInput, TWIST_TOO_LONG) if the clip needs too many samples.
  TwistTracks(const Rig& rig, const Clip* clip);

  // Sets posed_from_rest [joint] of the helpers from that of the other joints. All transforms are
  // relative to `centre`.
  void pose_helpers(double time_s, const Vec3<double>& centre,
                    std::vector<Affine<double>>& posed_from_rest) const;

 private:
  std::size_t sample_before(double time_s) const;

  const Rig* rig_;
  std::vector<double> times_;                // [sample] ascending from 0
  std::vector<std::vector<double>> angles_;  // [chain][sample]
};

}  // namespace skinbake
