#include "report/cracks.h"

#include <set>

namespace skinbake {

std::optional<RunCrack> widest_crack_of(const MeshRecord& mesh) {
  if (!mesh.topology || mesh.topology->cracked_positions == 0) return {};
  std::optional<RunCrack> widest;
  std::set<const Clip*> seen;  // several methods evaluate one clip
  for (const RunRecord& run : mesh.runs) {
    const Clip* const clip = run.frames.clip;
    if (!seen.insert(clip).second) continue;
    FrameRange frames = run.frames;
    if (clip == nullptr) frames.frame_count = 1;  // the rest pose
    const std::optional<Crack> crack = widest_crack(*mesh.rig, clip, frames);
    if (crack && (!widest || crack->gap_m > widest->crack.gap_m)) widest = {*crack, &run};
  }
  return widest;
}

}  // namespace skinbake
