#include "report/comparison.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "report/dense_ranks.h"
#include "rig/joint_tree.h"

namespace skinbake {
namespace {

WorstValue placed(const MeshRecord& mesh, const RunRecord& run, double value, const Place& at) {
  WorstValue worst;
  worst.value = value;
  worst.mesh = mesh.rig->id;
  worst.clip = run.clip;
  if (at.frame >= 0) {
    worst.frame = run.frames.frame(at.frame);
    worst.pose = run.frames.pose_name(*worst.frame);
  }
  if (at.vertex >= 0) worst.vertex = at.vertex;
  if (at.triangle >= 0) worst.triangle = at.triangle;
  return worst;
}

void add_error(const MeshRecord& mesh, const RunRecord& run, MethodStanding& standing) {
  const PositionErrorResult& error = *run.error;
  keep_worst(placed(mesh, run, error.max, error.max_at), standing.max);
}

void add_volume(const MeshRecord& mesh, const RunRecord& run, MethodStanding& standing) {
  const VolumeResult& volume = *run.volume;
  if (!volume.total) return;
  const VolumeExtremes& total = *volume.total;
  const auto not_negative = [](double part) { return part < 0 ? 0.0 : part; };
  keep_worst(placed(mesh, run, not_negative(total.max_loss), total.max_loss_at), standing.loss);
  keep_worst(placed(mesh, run, not_negative(-total.min_loss), total.min_loss_at), standing.gain);
  standing.volume_changes.push_back(std::max(total.max_loss, -total.min_loss));
  for (const VolumeResult::PerJoint& joint : volume.joints) {
    WorstValue worst = placed(mesh, run, joint.max_loss, joint.max_loss_at);
    worst.joint = joint_id(*mesh.rig, joint.joint);
    keep_worst(std::move(worst), standing.joint_loss);
  }
}

// Collects the standings of runs. The rms over several runs is the root of their squares' mean.
class Standings {
 public:
  void add(const MeshRecord& mesh, const RunRecord& run) {
    Entry& entry = entry_of(run);
    if (run.error) {
      const double numbers = static_cast<double>(mesh.rig->mesh->vertex_count()) *
                             static_cast<double>(run.frames.frame_count);
      entry.squares += run.error->rms * run.error->rms * numbers;
      entry.numbers += numbers;
      add_error(mesh, run, entry.standing);
    }
    if (run.volume) add_volume(mesh, run, entry.standing);
  }

  std::vector<MethodStanding> take_all() {
    std::vector<MethodStanding> standings;
    for (Entry& entry : entries_) {
      if (entry.numbers > 0) entry.standing.rms = std::sqrt(entry.squares / entry.numbers);
      std::vector<double>& changes = entry.standing.volume_changes;
      std::sort(changes.begin(), changes.end(), std::greater<>());
      standings.push_back(std::move(entry.standing));
    }
    return standings;
  }

 private:
  struct Entry {
    MethodStanding standing;
    double squares = 0, numbers = 0;
  };

  Entry& entry_of(const RunRecord& run) {
    const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
      return entry.standing.method == run.name();
    });
    if (known != entries_.end()) return *known;
    Entry& entry = entries_.emplace_back();
    entry.standing.method = run.name();
    const double cost = relative_cost(parse_method(run.method).info());
    if (cost > 0) entry.standing.cost = cost;
    return entry;
  }

  std::vector<Entry> entries_;
};

// One number of every method.
template <class Number>
std::vector<double> column_of(const std::vector<MethodStanding>& methods, const Number& number) {
  std::vector<double> column;
  for (const MethodStanding& method : methods) column.push_back(number(method));
  return column;
}

// The sort keys of the methods, [column][method], smaller is better: dense ranks, which ignore
// rounding errors, then the cost. Unmeasured values are infinite.
std::vector<std::vector<double>> rank_columns(const std::vector<MethodStanding>& methods,
                                              RankBy by) {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> columns;
  const auto add = [&](const auto& number) {
    columns.push_back(dense_ranks(column_of(methods, number), kMeasuredRounding));
  };
  if (by == RankBy::kError) {
    add([](const MethodStanding& m) { return m.rms.value_or(kInfinity); });
  } else {
    std::size_t most = 1;
    for (const MethodStanding& m : methods) most = std::max(most, m.volume_changes.size());
    for (std::size_t k = 0; k < most; ++k) {
      add([&](const MethodStanding& m) {
        return k < m.volume_changes.size() ? m.volume_changes[k] : kInfinity;
      });
    }
  }
  columns.push_back(
      column_of(methods, [](const MethodStanding& m) { return m.cost.value_or(kInfinity); }));
  return columns;
}

}  // namespace

std::optional<WorstValue> MethodStanding::volume_change() const {
  if (!loss || !gain) return {};
  return gain->value > loss->value ? gain : loss;
}

std::vector<MethodStanding> standings(const Report& report) {
  Standings all;
  for (const MeshRecord& mesh : report.meshes) {
    for (const RunRecord& run : mesh.runs) all.add(mesh, run);
  }
  return all.take_all();
}

std::vector<MethodStanding> standings(const MeshRecord& mesh, const std::string& clip) {
  Standings all;
  for (const RunRecord& run : mesh.runs) {
    if (run.clip == clip) all.add(mesh, run);
  }
  return all.take_all();
}

RankBy rank_by(const std::vector<MethodStanding>& methods, const std::string& reference) {
  const bool has_volume = std::any_of(methods.begin(), methods.end(),
                                      [](const MethodStanding& m) { return m.loss.has_value(); });
  const bool is_a_method =
      std::any_of(methods.begin(), methods.end(),
                  [&](const MethodStanding& m) { return m.method == reference; });
  return has_volume && (is_a_method || reference == "exact") ? RankBy::kVolumeChange
                                                             : RankBy::kError;
}

std::vector<MethodStanding> ranked(std::vector<MethodStanding> methods, RankBy by) {
  const std::vector<std::vector<double>> columns = rank_columns(methods, by);
  std::vector<std::size_t> order(methods.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto decides = std::find_if(columns.begin(), columns.end(),
                                      [&](const auto& column) { return column[a] != column[b]; });
    return decides != columns.end() && (*decides)[a] < (*decides)[b];
  });
  std::vector<MethodStanding> sorted;
  for (const std::size_t method : order) sorted.push_back(std::move(methods[method]));
  return sorted;
}

}  // namespace skinbake
