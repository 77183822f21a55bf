// The results of a batch from the records of its tasks, and their JSON.

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "batch/results/batch_summary.h"
#include "json/print.h"
#include "skinbake/error.h"

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

namespace {

OrderedJson head_json(const char* schema) {
  return {{"schema", schema},
          {"schema_version", "1.0"},
          {"tool", {{"name", "skinbake"}, {"version", version()}, {"build", build_id()}}}};
}

OrderedJson task_name_json(const TaskName& name) {
  return {
      {"job", name_json(name.job)}, {"rig", name_json(name.rig)}, {"clip", name_json(name.clip)}};
}

OrderedJson group_json(const BatchIssues& group) {
  OrderedJson first = OrderedJson::array();
  for (const Issue& issue : group.first) {
    first.push_back({{"file", issue.file}, {"pointer", issue.pointer}, {"message", issue.message}});
  }
  return {{"code", group.code},
          {"severity", to_string(group.severity)},
          {"places", group.places},
          {"first", std::move(first)}};
}

OrderedJson warned_json(const WarnedLimit& one) {
  OrderedJson worst = task_name_json(one.task);
  worst["mesh"] = one.worst.mesh;
  worst["method"] = one.worst.method;
  worst["value"] = one.worst.value;
  return {{"limit", one.limit}, {"places", one.places}, {"worst", std::move(worst)}};
}

OrderedJson result_json(const TaskName& name, const std::optional<TaskRecord>& record) {
  OrderedJson result = task_name_json(name);
  result["exit_code"] = record ? OrderedJson(record->exit_code) : OrderedJson();
  if (!record) return result;
  result["frames"] = record->frames;
  result["key"] = record->key;
  result["errors"] = record->errors;
  result["outputs"] = OrderedJson::array();
  for (const StateFile& file : record->outputs) {
    result["outputs"].push_back(
        {{"path", file.path}, {"bytes", file.bytes}, {"xxh128", file.xxh128}});
  }
  return result;
}

template <class Counts>
OrderedJson counts_json(const Counts& counts, const auto& word_of) {
  OrderedJson object = OrderedJson::object();
  for (const auto& [key, count] : counts) object[word_of(key)] = count;
  return object;
}

}  // namespace

std::string summary_json(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                         const BatchState& state) {
  const BatchResults results = results_of(plan, tasks, state);
  OrderedJson json = head_json("skinbake.batch.summary");
  json["plan"] = plan_id(plan);
  json["tasks"] = results.tasks;
  json["missing"] = results.missing;
  json["failed"] = results.failed.size();
  json["exit_code"] = results.exit_code();
  json["by_exit_code"] =
      counts_json(results.by_exit_code, [](int code) { return std::to_string(code); });
  json["frames"] = results.frames;
  json["issues"] = OrderedJson::array();
  for (const BatchIssues& group : results.issues) json["issues"].push_back(group_json(group));
  json["warned"] = OrderedJson::array();
  for (const WarnedLimit& one : results.warned) json["warned"].push_back(warned_json(one));
  json["allowed"] = counts_json(results.allowed, [](const std::string& code) { return code; });
  OrderedJson& list = json["results"] = OrderedJson::array();
  for (const std::uint64_t t : tasks) {
    const TaskName name = plan.name(plan.tasks()[t]);
    list.push_back(result_json(name, state.find(name)));
  }
  return print(json);
}

std::string plan_json(const BatchPlan& plan, std::span<const PlannedTask> tasks) {
  OrderedJson json = head_json("skinbake.batch.plan");
  json["plan"] = plan_id(plan);
  OrderedJson& list = json["tasks"] = OrderedJson::array();
  for (const PlannedTask& planned : tasks) {
    const BatchTask& task = plan.tasks()[planned.task];
    OrderedJson one = task_name_json(plan.name(task));
    one["frames"] = task.frames;
    one["cost"] = task.cost;
    one["up_to_date"] = planned.status == "up to date";
    one["status"] = planned.status;
    one["outputs"] = plan.outputs(task);
    one["command"] = plan.words(task);
    list.push_back(std::move(one));
  }
  return print(json);
}

std::string progress_line(const TaskProgress& progress) {
  OrderedJson json = task_name_json(progress.name);
  json["exit_code"] = progress.exit_code;
  json["up_to_date"] = progress.is_up_to_date;
  json["frames"] = progress.frames;
  json["seconds"] = progress.seconds;
  json["done"] = progress.done;
  json["tasks"] = progress.tasks;
  return print_line(json);
}

}  // namespace skinbake
