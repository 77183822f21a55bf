// What a bake leaves beside its caches: the report, its pages, a depfile, a timing.

#pragma once

#include <chrono>
#include <deque>
#include <string>
#include <vector>

#include "bake_job.h"
#include "bake_options.h"

namespace skinbake::cli {

// Of one run; ends when the timing is written.
struct Stopwatch {
  using Clock = std::chrono::steady_clock;

  Clock::time_point start = Clock::now();
  double load_s = 0, bake_s = 0;

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start).count(); }
};

class TextOutputs {
 public:
  // Opens them, so that a bad path fails before the first frame. `inputs`: the files that were
  // read. Throws Error (kOutput), also for names that no depfile can hold.
  TextOutputs(const BakeOptions& options, const std::deque<MeshJobs>& meshes,
              const std::vector<std::string>& inputs);

  // Returns the report as JSON, empty if nobody wants one. `space`: the mesh itself, for --view.
  std::string write(Report& report, const Stopwatch& stopwatch, const View* space);

  // Gives them their names.
  void commit();

 private:
  void write_pages(Report& report, const std::string& json, const View* space);

  const BakeOptions& options_;
  std::string depfile_;
  std::vector<OutputFile> files_;
  std::vector<OutputFile> pages_;  // in the order of PageOptions::given
};

}  // namespace skinbake::cli
