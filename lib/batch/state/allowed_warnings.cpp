// --allow changes no cache, so it is no part of a task's key. It changes what is said of a task:
// the codes that its report lists, its exit code with --strict or with checks that a warning fails,
// and the summary.

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "batch/state/batch_state.h"

namespace skinbake {

namespace {

constexpr std::string_view kAllow = "--allow=";

// Options of outputs that list the codes, and the option by which a warning fails the task.
constexpr std::array<std::string_view, 5> kJudging{
    "--report=", "--html=", "--markdown=", "--junit=", "--strict"};

bool has_option(std::span<const std::string> words, std::string_view option) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return word.starts_with(option); });
}

// Whether the command has checks that fail unless a warning is allowed, such as TRIANGLES_DIFFER.
bool has_checks_of_warnings(std::span<const std::string> words) {
  return !words.empty() && words.front() == "diff";
}

bool has_judging(std::span<const std::string> words) {
  return has_checks_of_warnings(words) ||
         std::any_of(kJudging.begin(), kJudging.end(),
                     [&](std::string_view option) { return has_option(words, option); });
}

std::vector<std::string> allowed_by(std::span<const std::string> words, const TaskRecord& record) {
  std::set<std::string> occurred(record.allowed.begin(), record.allowed.end());
  for (const Issue& issue : record.issues) {
    if (issue.severity == Severity::kWarning) occurred.insert(issue.code);
  }
  std::set<std::string> allowed;
  for (const std::string& word : words) {
    if (!word.starts_with(kAllow)) continue;
    const std::string code = word.substr(kAllow.size());
    if (occurred.contains(code)) allowed.insert(code);
  }
  return {allowed.begin(), allowed.end()};
}

}  // namespace

Judgement judge_warnings(std::span<const std::string> words, TaskRecord& record) {
  std::vector<std::string> allowed = allowed_by(words, record);
  if (allowed == record.allowed) return Judgement::kSame;
  if (has_judging(words)) return Judgement::kOutputsDiffer;
  record.allowed = std::move(allowed);
  return Judgement::kRecordDiffers;
}

bool is_allowed(const TaskRecord& record, const Issue& issue) {
  return issue.severity == Severity::kWarning &&
         std::find(record.allowed.begin(), record.allowed.end(), issue.code) !=
             record.allowed.end();
}

}  // namespace skinbake
