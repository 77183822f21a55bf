// Frames against frames, and reports against reports.

#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "skinbake/gltf.h"
#include "skinbake/metrics.h"

namespace skinbake {

// What b is, compared with a.
struct Difference {
  PositionErrorResult error;         // a is the reference
  bool identical = false;            // the same bytes, all of them finite numbers
  std::int64_t vertices = 0;         // that differ in any frame, by any amount
  std::int64_t frames = 0;           // in which any vertex differs
  std::array<double, 3> a_at_max{};  // both values where the largest error is
  std::array<double, 3> b_at_max{};
};

struct DiffPlan {
  const FrameSource* a = nullptr;
  const FrameSource* b = nullptr;
  const Rig* rig = nullptr;  // of as many vertices
  FrameRange frames;         // of as many frames
  double bbox_diagonal_m = 0;
  std::vector<double> limits_m;  // of PositionErrorResult::over
  // Whether numbers per frame and vertex are wanted also where there is no difference. If not,
  // identical frames are recognised at the speed of reading.
  bool details = true;
  DistanceRow take_row = {};  // given every frame's distances; may be empty
  int threads = 0;            // 0: as many as there are processors
  std::function<void(std::int64_t frames_done)> progress;
  const std::atomic<bool>* cancelled = nullptr;
};

struct FrameCounts {
  std::string name;  // of a file
  std::int64_t vertices = 0, frames = 0;
};

// Throws Error (kNotComparable), with both counts, if they differ.
void require_comparable(const FrameCounts& a, const FrameCounts& b);

// Throws Error (kInput) if comparing so many takes more memory than that.
void require_memory(const FrameCounts& counts, std::uint64_t max_memory);

// Constraint: a and b are comparable.
Difference difference_of(const DiffPlan& plan);

// Vertices without a file of their own: those of a source's first frame, as a rig. Its bounding box
// gives D where there is no bind pose.
Rig rig_of_first_frame(const FrameSource& source, const std::string& id,
                       std::vector<Primitive> primitives);
double bbox_diagonal(const Rig& rig);

// One value of two reports that is not the same.
struct Change {
  std::string pointer;  // JSON pointer into both
  std::string a, b;     // as JSON; empty: not there
};

struct ReportChanges {
  std::int64_t compared = 0;    // values that are in both
  std::int64_t count = 0;       // changes
  std::vector<Change> changes;  // the first ones, keys in alphabetical order
  InputFile a, b;
};

// Numbers may move by `tolerance`, or by that part of the larger one if it is relative; everything
// else must be equal. What only names files and the program is left out: /tool, /inputs, /outputs.
struct ReportTolerance {
  double value = 0;
  bool relative = false;
};

// Throws Error: kInput for a file that is no report, or if both together would take more than
// `max_memory` bytes; kNotComparable for reports of different kinds.
ReportChanges compare_reports(const std::string& a, const std::string& b,
                              const ReportTolerance& tolerance, std::uint64_t max_memory);

}  // namespace skinbake
