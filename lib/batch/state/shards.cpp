// Divides tasks among machines: longest processing time first.
//
// R. L. Graham. Bounds on Multiprocessing Timing Anomalies. 1969: every piece, the largest first,
// goes to the machine that has the least; the greatest load is at most 4/3 of the best division.

#include <algorithm>
#include <numeric>

#include "batch/results/batch_summary.h"

namespace skinbake {

namespace {

// Consecutive tasks of one rig.
struct Piece {
  std::uint64_t first = 0, end = 0;
  double cost = 0;
};

// The tasks of a rig are one piece, unless they cost more than `most`.
std::vector<Piece> pieces_of(const std::vector<BatchTask>& tasks, double most) {
  std::vector<Piece> pieces;
  for (std::uint64_t t = 0; t < tasks.size(); ++t) {
    const bool continues = !pieces.empty() && tasks[t].rig == tasks[t - 1].rig &&
                           tasks[t].rig != BatchTask::kNoRig &&
                           pieces.back().cost + tasks[t].cost <= most;
    if (!continues) pieces.push_back({t, t, 0});
    pieces.back().end = t + 1;
    pieces.back().cost += tasks[t].cost;
  }
  return pieces;
}

}  // namespace

std::vector<std::uint64_t> tasks_of_shard(const BatchPlan& plan, std::uint64_t shard,
                                          std::uint64_t shards) {
  const std::vector<BatchTask>& tasks = plan.tasks();
  std::vector<std::uint64_t> mine;
  if (shards <= 1) {
    mine.resize(tasks.size());
    std::iota(mine.begin(), mine.end(), std::uint64_t{0});
    return mine;
  }
  double total = 0;
  for (const BatchTask& task : tasks) total += task.cost;
  // Pieces of a fifth of a shard: with whole shards, the last machine could have twice its part.
  std::vector<Piece> pieces = pieces_of(tasks, total / static_cast<double>(shards) / 5);
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.cost > b.cost; });
  std::vector<double> loads(shards, 0);
  for (const Piece& piece : pieces) {
    const auto least = std::min_element(loads.begin(), loads.end());
    *least += piece.cost;
    if (static_cast<std::uint64_t>(least - loads.begin()) + 1 != shard) continue;
    for (std::uint64_t t = piece.first; t < piece.end; ++t) mine.push_back(t);
  }
  std::sort(mine.begin(), mine.end());
  return mine;
}

}  // namespace skinbake
