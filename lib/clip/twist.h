// The angles of twists over a clip's time, and the poses of the helper joints that share them.
//
//     D      = M_from^-1 M_to                          M  posed_from_rest; D is the identity when
//     bound q      = rotation of D (polar), q = swing * twist about the bone's axis
//     (math/swing_twist.h) phi(t) = the angle of the twist, of its values that differ by whole
//     turns the one nearest to
//              phi a moment before; at t = 0 the one nearest to none
//
// A moment is a 120th of a second at most, and no key is stepped over: whatever the frames of a
// run, the angle is followed from the clip's start on, in the same steps. A half-turn swing leaves
// the twist open, and a joint scaled to nothing has none: they keep the last angle. Ours: what is
// published stops at 180 degrees, as far as one pose can tell.

#pragma once

#include <optional>
#include <vector>

#include "skinbake/clip.h"

namespace skinbake {

class TwistTracks {
 public:
  // Of every chain of rig.twists. `clip` may be null: the rest pose. The rig must outlive it.
  // Throws Error (kInput) if there are too many moments.
  TwistTracks(const Rig& rig, const Clip* clip);

  // Sets the helpers' posed_from_rest from the other joints'; both take positions relative to
  // `centre`.  [joint]
  void pose_helpers(double time_s, const Vec3<double>& centre,
                    std::vector<Affine<double>>& posed_from_rest) const;

 private:
  std::size_t moment_before(double time_s) const;

  const Rig* rig_;
  std::vector<double> times_;                // ascending, from 0 on
  std::vector<std::vector<double>> angles_;  // [chain][moment]
};

}  // namespace skinbake
