// The text files of a bake: the report, its pages, the depfile (a rule for Make and Ninja) and the
// timing.

#pragma once

#include <chrono>
#include <deque>
#include <string>
#include <vector>

#include "jobs/bake_job.h"
#include "jobs/options.h"

namespace skinbake::cli {

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

}  // namespace skinbake::cli
