// A reporter that prints the time of each benchmark as soon as it is measured, and keeps the
// fastest for ratios.

#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace skinbake {

class FastestTimes : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const double run_ns = 1e9 / run.counters.at("items_per_second").value;
      double& best = ns_[run.run_name.function_name];
      best = best == 0 ? run_ns : std::min(best, run_ns);
    }
    const std::string& name = runs.front().run_name.function_name;
    if (has(name)) std::printf("%-52s %6.2f ns\n", name.c_str(), ns(name));
    std::fflush(stdout);
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
