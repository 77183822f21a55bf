// The widest crack of a mesh in a clip.

#pragma once

#include <optional>
#include <string>

#include "skinbake/metrics.h"

namespace skinbake {

// A gap between two vertices that have one position and different influences.
struct Crack {
  double gap_m = 0;
  Place at;  // the frame, counted from the start of the run, and the two vertices as an edge
};

// Returns the widest gap of all frames, by linear blending; of equal gaps the first. `clip`: null
// for the rest pose. None: no gap opens, or there are more cracks and frames than a second or two
// can evaluate. Throws as PoseSampler does.
std::optional<Crack> widest_crack(const Rig& rig, const Clip* clip, const FrameRange& frames);

// The warning SEAM_OPENS if the crack is wider than 1e-3 of the diagonal. `clip`: its id; empty:
// the rest pose.
Issues crack_issues(const Rig& rig, const Crack& crack, const std::string& clip,
                    const FrameRange& frames, double bbox_diagonal_m);

}  // namespace skinbake
