// Outputs of text: documents, and pages.

#pragma once

#include <chrono>
#include <deque>
#include <string>
#include <vector>

#include "bake/bake_job.h"
#include "bake/options.h"

namespace skinbake::cli {

// ---- The text files of a bake: the report, its pages, the depfile (a rule for Make and Ninja) and
// the timing.

// The durations of a run.
struct Stopwatch {
  using Clock = std::chrono::steady_clock;

  Clock::time_point start = Clock::now();
  double load_s = 0, bake_s = 0;

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start).count(); }
};

class TextOutputs {
 public:
  // Opens every file, so that an invalid path fails before the first frame. `inputs`: the files
  // that were read. Throws Error (kOutput), also for names that a depfile cannot contain.
  TextOutputs(const BakeOptions& options, const std::deque<MeshJobs>& meshes,
              const std::vector<std::string>& inputs);

  // Writes every file. `view`: the animated mesh of --view, or null.
  void write(const Report& report, const Stopwatch& stopwatch, const View* view);
  // The form of the report for standard output.
  const std::string& printed() const { return reports_.printed(); }

  // Appends every file, for the commit.
  void append(std::vector<OutputFile*>& files);

 private:
  const BakeOptions& options_;
  std::string depfile_;
  ReportFiles reports_;
  std::vector<OutputFile> files_;  // the depfile and the timing
};

// ---- The pages beside an overview.

// The overview of a library, and the page of each report beside it.
struct OverviewPages {
  std::vector<std::string> paths;  // [report] "library.hero.html" beside library.html
  std::vector<std::string> links;  // [report] their addresses relative to the overview
  std::string back;                // the address of the overview relative to them
};

// `output`: the overview's path, or "-", beside which there are no pages. Two reports of one name
// get different pages.
OverviewPages overview_pages(const std::string& output, const std::vector<std::string>& reports);

// The address of a file relative to the overview beside which it is, or below or above.
std::string address_from(const std::string& overview, const std::string& file);

// Whether a page shows the animated mesh in 3D; false of a file that cannot be read.
bool is_page_with_view(const std::string& path);

}  // namespace skinbake::cli
