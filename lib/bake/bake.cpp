#include "skinbake/bake.h"

#include <utility>

#include "bake/arena.h"
#include "bake/pipeline.h"

namespace skinbake {

namespace {

// Empty: no sink has something that must see all frames first.
SinksOfRuns surveys_of(const BakePlan& plan) {
  SinksOfRuns surveys(plan.runs.size());
  bool found = false;
  for (std::size_t r = 0; r < plan.runs.size(); ++r) {
    for (FrameSink* sink : plan.runs[r].sinks) {
      if (sink->survey() == nullptr) continue;
      surveys[r].push_back(sink->survey());
      found = true;
    }
  }
  return found ? surveys : SinksOfRuns();
}

}  // namespace

void bake(const BakePlan& plan) {
  in_arena(plan.threads, [&](int threads) {
    const Job job(plan);
    SinksOfRuns sinks;
    for (const MethodRun& run : plan.runs) sinks.push_back(run.sinks);
    SinksOfRuns surveys = surveys_of(plan);
    const bool once = surveys.empty();
    if (!once) run_pass(job, Pass::kFirst, std::move(surveys), threads);
    run_pass(job, once ? Pass::kOnly : Pass::kSecond, std::move(sinks), threads);
  });
}

}  // namespace skinbake
