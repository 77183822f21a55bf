// The report of a run from the reports of its parts: ranges of frames that several machines
// measured.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/report.h"
#include "skinbake/clip.h"

namespace skinbake {

struct MergedReport {
  std::string json;  // the bytes that one run of all frames would have written
  VerdictStatus verdict = VerdictStatus::kNone;
  std::string frames;  // "20:60" if the parts together do not have all frames of their clips
};

struct FramesOfClip {
  std::string clip;  // id; empty: the rest pose
  FrameRange frames;
};

// A cache of all frames, as a merged report names it.
struct WholeCache {
  OutputRecord output;
  std::vector<FramesOfClip> clips;  // of one, or of several in one file
};

// `caches`: the whole caches, which replace those that the parts wrote; one for each of them.
// `whole`: the frames that all parts have together, of each clip and at any rate; none: all of the
// clip if the parts have a threshold that fails, else those of the parts.
// Throws Error (kInput): REPORT_INVALID, MEMORY_LIMIT; PART_INVALID if a report is without the sums
// of a part, or has a section that cannot be put together, or if the parts did not write such a
// cache; PARTS_DIFFER unless all are of one rig, clip, method and rate, with the same settings, and
// the caches have the frames of all parts; PARTS_INCOMPLETE if they overlap, leave a gap,
// or do not have the first or the last frame of the whole.
// Precondition: there is a path.
MergedReport merge_reports(const std::vector<std::string>& paths,
                           const std::vector<WholeCache>& caches,
                           const std::optional<FrameRange>& whole, std::uint64_t max_memory);

}  // namespace skinbake
