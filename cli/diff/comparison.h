// The comparison of two libraries: every pair of files, meshes and clips, into one report.

#pragma once

#include <deque>
#include <string>
#include <vector>

#include "compare/library_pairs.h"
#include "diff/options.h"
#include "diff/side.h"
#include "report/report.h"

namespace skinbake::cli {

// Two libraries, or two rigs. Parts of the report refer to the rigs and clips, so it stays where it
// is.
struct LibraryComparison {
  LibraryComparison() = default;
  LibraryComparison(const LibraryComparison&) = delete;
  LibraryComparison& operator=(const LibraryComparison&) = delete;

  Report report;                   // command "diff"; without checks
  std::deque<Rig> rigs;            // what the report needs of the meshes
  std::deque<Clip> clips;          // and of the clips
  std::vector<std::string> files;  // that were read, for messages
  int failed_code = 0;             // the greatest exit code of a pair that could not be compared
};

// Compares pairs of meshes and clips that have one name on both sides. A pair that cannot be
// compared is a record of the report, and the others are compared nevertheless. `outputs`: the
// files of the run. Throws Error (kNotComparable, NOTHING_PAIRS) if no pair has a partner; (kUsage,
// OUTPUT_IS_INPUT) if an output would replace a file of a library.
void compare_libraries(const DiffOptions& options, LibraryComparison& comparison);

}  // namespace skinbake::cli
