#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "batch/results/batch_summary.h"

namespace skinbake {

namespace {

constexpr std::size_t kPlacesKept = 3;

// Collects issues by code. A rig's issue comes with each of its clips, and counts once.
class IssueCollector {
 public:
  void add(const Issue& issue) {
    const std::string place = issue.code + '\0' + issue.file + '\0' + issue.pointer;
    if (!places_.insert(std::hash<std::string>()(place)).second) return;
    const auto [known, is_new] = numbers_.emplace(issue.code, groups_.size());
    if (is_new) groups_.push_back({issue.code, issue.severity, 0, {}});
    BatchIssues& group = groups_[known->second];
    ++group.places;
    if (group.first.size() < kPlacesKept) group.first.push_back(issue);
  }
  std::vector<BatchIssues> take() { return std::move(groups_); }

 private:
  std::unordered_set<std::size_t> places_;  // hashes: a library may have millions of places
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<BatchIssues> groups_;
};

// Adds the exceeded limits of a task that do not fail it.
void add_warned(const TaskRecord& record, std::map<std::string, WarnedLimit>& warned) {
  for (const TaskCheck& check : record.checks) {
    if (check.passed || !check.is_warning) continue;
    WarnedLimit& known = warned[check.limit];
    if (known.places++ > 0 && check.excess <= known.worst.excess) continue;
    known.limit = check.limit;
    known.task = record.name;
    known.worst = check;
  }
}

double largest_excess(const TaskRecord& record) {
  double largest = 0;
  for (const TaskCheck& check : record.checks) {
    if (!check.passed && !check.is_warning) largest = std::max(largest, check.excess);
  }
  return largest;
}

}  // namespace

BatchResults results_of(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                        const BatchState& state) {
  BatchResults results;
  results.tasks = tasks.size();
  IssueCollector issues;
  std::map<std::string, WarnedLimit> warned;
  for (const std::uint64_t t : tasks) {
    const std::optional<TaskRecord> record = state.find(plan.name(plan.tasks()[t]));
    if (!record) {
      ++results.missing;
      continue;
    }
    ++results.by_exit_code[record->exit_code];
    results.frames += record->frames;
    for (const Issue& issue : record->issues) {
      if (!is_allowed(*record, issue)) issues.add(issue);
    }
    for (const std::string& code : record->allowed) ++results.allowed[code];
    add_warned(*record, warned);
    if (record->exit_code == 0) continue;
    results.failed.push_back({t, record->exit_code,
                              record->errors.empty() ? "" : record->errors.front(),
                              largest_excess(*record)});
  }
  std::stable_sort(results.failed.begin(), results.failed.end(),
                   [](const FailedTask& a, const FailedTask& b) {
                     return std::tuple(a.exit_code, a.excess) > std::tuple(b.exit_code, b.excess);
                   });
  results.issues = issues.take();
  for (auto& [limit, one] : warned) results.warned.push_back(std::move(one));
  return results;
}

}  // namespace skinbake
