// The results of a batch from the records of its tasks, and their JSON.

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "batch/results/batch_summary.h"
#include "json/json_writer.h"
#include "skinbake/version.h"

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

void write_head(const char* schema, JsonWriter& out) {
  out.begin_object();
  out.key("schema").value(schema).key("schema_version").value("1.0");
  out.key("tool").begin_line_object().key("name").value("skinbake");
  out.key("version").value(version()).key("build").value(build_id()).end_object();
}

void write_name(const TaskName& name, JsonWriter& out) {
  const auto write = [&](const char* key, const std::string& text) {
    out.key(key);
    text.empty() ? out.null() : out.value(text);
  };
  write("job", name.job);
  write("rig", name.rig);
  write("clip", name.clip);
}

void write_issues(const std::vector<BatchIssues>& issues, JsonWriter& out) {
  out.key("issues").begin_array();
  for (const BatchIssues& group : issues) {
    out.begin_line_object().key("code").value(group.code);
    out.key("severity").value(to_string(group.severity)).key("places").value(group.places);
    out.key("first").begin_line_array();
    for (const Issue& issue : group.first) {
      out.begin_line_object().key("file").value(issue.file).key("pointer").value(issue.pointer);
      out.key("message").value(issue.message).end_object();
    }
    out.end_array().end_object();
  }
  out.end_array();
}

void write_warned(const std::vector<WarnedLimit>& warned, JsonWriter& out) {
  out.key("warned").begin_array();
  for (const WarnedLimit& one : warned) {
    out.begin_line_object().key("limit").value(one.limit).key("places").value(one.places);
    out.key("worst").begin_line_object();
    write_name(one.task, out);
    out.key("mesh").value(one.worst.mesh).key("method").value(one.worst.method);
    out.key("value").value(one.worst.value).end_object().end_object();
  }
  out.end_array();
}

void write_result(const TaskName& name, const std::optional<TaskRecord>& record, JsonWriter& out) {
  out.begin_line_object();
  write_name(name, out);
  out.key("exit_code");
  if (!record) {
    out.null().end_object();
    return;
  }
  out.value(record->exit_code).key("frames").value(record->frames);
  out.key("key").value(record->key);
  out.key("errors").strings(record->errors);
  out.key("outputs").begin_line_array();
  for (const StateFile& file : record->outputs) {
    out.begin_line_object().key("path").value(file.path).key("bytes").value(file.bytes);
    out.key("xxh128").value(file.xxh128).end_object();
  }
  out.end_array().end_object();
}

}  // namespace

std::string summary_json(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                         const BatchState& state) {
  const BatchResults results = results_of(plan, tasks, state);
  JsonWriter out;
  write_head("skinbake.batch.summary", out);
  out.key("plan").value(plan_id(plan));
  out.key("tasks").value(results.tasks).key("missing").value(results.missing);
  out.key("failed").value(std::uint64_t{results.failed.size()});
  out.key("exit_code").value(results.exit_code());
  out.key("by_exit_code").begin_line_object();
  for (const auto& [code, count] : results.by_exit_code) {
    out.key(std::to_string(code)).value(count);
  }
  out.end_object();
  out.key("frames").value(results.frames);
  write_issues(results.issues, out);
  write_warned(results.warned, out);
  out.key("allowed").begin_line_object();
  for (const auto& [code, count] : results.allowed) out.key(code).value(count);
  out.end_object();
  out.key("results").begin_array();
  for (const std::uint64_t t : tasks) {
    const TaskName name = plan.name(plan.tasks()[t]);
    write_result(name, state.find(name), out);
  }
  out.end_array().end_object();
  return out.take();
}

std::string plan_json(const BatchPlan& plan, std::span<const PlannedTask> tasks) {
  JsonWriter out;
  write_head("skinbake.batch.plan", out);
  out.key("plan").value(plan_id(plan));
  out.key("tasks").begin_array();
  for (const PlannedTask& planned : tasks) {
    const BatchTask& task = plan.tasks()[planned.task];
    out.begin_line_object();
    write_name(plan.name(task), out);
    out.key("frames").value(task.frames).key("cost").value(task.cost);
    out.key("up_to_date").value(planned.status == "up to date");
    out.key("status").value(planned.status);
    out.key("outputs").strings(plan.outputs(task));
    out.key("command").strings(plan.words(task)).end_object();
  }
  out.end_array().end_object();
  return out.take();
}

std::string progress_line(const TaskProgress& progress) {
  JsonWriter out;
  out.begin_line_object();
  write_name(progress.name, out);
  out.key("exit_code").value(progress.exit_code);
  out.key("up_to_date").value(progress.is_up_to_date);
  out.key("frames").value(progress.frames).key("seconds").value(progress.seconds);
  out.key("done").value(progress.done).key("tasks").value(progress.tasks).end_object();
  return out.take();
}

}  // namespace skinbake
