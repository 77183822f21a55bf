// A reporter that prints the console's table and keeps each benchmark's fastest time, for ratios.

#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace skinbake {

class FastestTimes : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    benchmark::ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const double ns = 1e9 / run.counters.at("items_per_second").value;
      double& best = ns_[run.run_name.function_name];
      best = best == 0 ? ns : std::min(best, ns);
    }
  }

 protected:
  bool has(const std::string& name) const { return ns_.count(name) > 0; }  // false: filtered out
  double ns(const std::string& name) const { return ns_.at(name); }        // per vertex and frame

 private:
  std::map<std::string, double> ns_;
};

// Runs the benchmarks that the command line selects. False: the command line is wrong.
inline bool run_benchmarks(int argc, char** argv, FastestTimes& reporter) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return false;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return true;
}

}  // namespace skinbake
