#include "batch/state/state_lines.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/bytes.h"
#include "json/json_text.h"
#include "json/print.h"

namespace skinbake {

namespace {

using nlohmann::json;

constexpr const char* kSchema = "skinbake.batch.state";
// A line of a task with tens of thousands of outputs.

OrderedJson files_json(std::span<const StateFile> files) {
  OrderedJson list = OrderedJson::array();
  for (const StateFile& file : files) {
    list.push_back({{"path", file.path},
                    {"bytes", file.bytes},
                    {"modified_ns", file.modified_ns},
                    {"xxh128", file.xxh128}});
  }
  return list;
}

OrderedJson checks_json(std::span<const TaskCheck> checks) {
  OrderedJson list = OrderedJson::array();
  for (const TaskCheck& check : checks) {
    list.push_back({{"mesh", check.mesh},
                    {"clip", check.clip},
                    {"method", check.method},
                    {"limit", check.limit},
                    {"value", check.value},
                    {"passed", check.passed},
                    {"is_warning", check.is_warning}});
    if (!check.passed) list.back()["excess"] = check.excess;  // null if it is infinite
  }
  return list;
}

OrderedJson issues_json(std::span<const Issue> issues) {
  OrderedJson list = OrderedJson::array();
  for (const Issue& issue : issues) {
    list.push_back({{"code", issue.code},
                    {"severity", to_string(issue.severity)},
                    {"file", issue.file},
                    {"pointer", issue.pointer},
                    {"message", issue.message},
                    {"count", issue.count}});
  }
  return list;
}

// Sums of counts stay in range.
constexpr std::int64_t kMostStateCount = std::int64_t{1} << 40;

// Throws std::invalid_argument unless the value is an integer from `least` to `most`.
std::int64_t state_integer(const json& value, std::int64_t least, std::int64_t most) {
  const std::optional<std::int64_t> integer = integer_in(value, least, most);
  if (!integer) throw std::invalid_argument("a number of a state");
  return *integer;
}

std::int64_t state_count(const json& value) {
  return state_integer(value, 0, kMostStateCount);
}

std::vector<StateFile> files_of(const json& files) {
  std::vector<StateFile> all;
  for (const json& file : files) {
    all.push_back({file.at("path").get<std::string>(),
                   static_cast<std::uint64_t>(state_integer(file.at("bytes"), 0, INT64_MAX)),
                   state_integer(file.at("modified_ns"), INT64_MIN, INT64_MAX),
                   file.at("xxh128").get<std::string>()});
  }
  return all;
}

Severity severity_of(const std::string& word) {
  for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kInfo}) {
    if (to_string(severity) == word) return severity;
  }
  throw std::invalid_argument(word);
}

std::vector<TaskCheck> checks_of(const json& checks) {
  std::vector<TaskCheck> all;
  for (const json& one : checks) {
    TaskCheck& check = all.emplace_back();
    check.mesh = one.at("mesh").get<std::string>();
    check.clip = one.at("clip").get<std::string>();
    check.method = one.at("method").get<std::string>();
    check.limit = one.at("limit").get<std::string>();
    check.value = one.at("value").get<std::string>();
    check.passed = one.at("passed").get<bool>();
    check.is_warning = one.at("is_warning").get<bool>();
    if (const auto excess = one.find("excess"); excess != one.end()) {
      check.excess =
          excess->is_null() ? std::numeric_limits<double>::infinity() : excess->get<double>();
    }
  }
  return all;
}

TaskRecord record_of(const json& line) {
  TaskRecord record;
  record.name = {line.at("job").get<std::string>(), line.at("rig").get<std::string>(),
                 line.at("clip").get<std::string>()};
  record.key = line.at("key").get<std::string>();
  record.exit_code = static_cast<int>(state_integer(line.at("exit_code"), 0, 255));
  record.frames = state_count(line.at("frames"));
  record.inputs = files_of(line.at("inputs"));
  record.outputs = files_of(line.at("outputs"));
  record.errors = line.at("errors").get<std::vector<std::string>>();
  for (const json& one : line.at("issues")) {
    Issue& issue = record.issues.emplace_back();
    issue.code = one.at("code").get<std::string>();
    issue.severity = severity_of(one.at("severity").get<std::string>());
    issue.file = one.at("file").get<std::string>();
    issue.pointer = one.at("pointer").get<std::string>();
    issue.message = one.at("message").get<std::string>();
    issue.count = state_count(one.at("count"));
  }
  if (line.contains("allowed")) record.allowed = line["allowed"].get<std::vector<std::string>>();
  if (line.contains("checks")) record.checks = checks_of(line["checks"]);
  return record;
}

// The files that a rig names, but that it was not read from.
std::vector<std::string> unread_files(const RigFacts& facts, std::span<const StateFile> read) {
  std::vector<std::string> unread;
  for (const std::string& path : facts.files) {
    const bool is_read = std::any_of(read.begin(), read.end(),
                                     [&](const StateFile& file) { return file.path == path; });
    if (!is_read) unread.push_back(path);
  }
  return unread;
}

KnownRig rig_of(const json& line) {
  KnownRig known;
  known.rig.path = line.at("path").get<std::string>();
  known.rig.scene = line.at("scene").get<std::string>();
  known.rig.allow_outside = line.at("allow_outside").get<bool>();
  known.files = files_of(line.at("files"));
  RigFacts& facts = known.rig.facts.emplace();
  for (const StateFile& file : known.files) {
    facts.bytes += file.bytes;
    facts.files.push_back(file.path);
  }
  if (line.contains("unread")) {
    for (const json& file : line["unread"]) facts.files.push_back(file.get<std::string>());
  }
  for (const json& clip : line.at("clips")) {
    facts.clips.push_back({clip.at("id").get<std::string>(), clip.at("duration_s").get<double>()});
  }
  for (const json& mesh : line.at("meshes")) {
    facts.meshes.push_back({mesh.at("id").get<std::string>(),
                            static_cast<int>(state_integer(mesh.at("node"), -1, INT32_MAX)),
                            state_count(mesh.at("vertices"))});
  }
  return known;
}

StateRun run_of_line(const json& line) {
  const auto number = [&](const char* key) {
    return static_cast<std::uint64_t>(state_integer(line.at(key), 0, INT64_MAX));
  };
  return {number("shard"), number("shards"), line.at("plan").get<std::string>()};
}

constexpr std::string_view kHashBegins = ", \"xxh128\": \"", kHashEnds = "\"}";

std::string line_hash(std::string_view text) {
  Xxh128 hash;
  hash.update(text.data(), text.size());
  return hash.hex();
}

// A line "{…}\n" with the hash of "{…}" as its last member: an edited line does not count, such as
// a failed task with another exit code.
std::string with_hash(std::string line) {
  line.pop_back();  // '\n'
  const std::string hash = line_hash(line);
  line.pop_back();  // '}'
  return line.append(kHashBegins).append(hash).append(kHashEnds) + "\n";
}

// Whether the hash of a line, which is given without its end, fits its other members.
bool has_own_hash(const std::string& line) {
  constexpr std::size_t kDigits = 32;
  constexpr std::size_t kMember = kHashBegins.size() + kDigits + kHashEnds.size();
  if (line.size() <= kMember) return false;
  const std::string rest = line.substr(0, line.size() - kMember) + "}";
  return line.substr(rest.size() - 1)
             .compare(std::string(kHashBegins) + line_hash(rest) + std::string(kHashEnds)) == 0;
}

}  // namespace

std::string state_head() {
  return print_line({{"schema", kSchema}, {"schema_version", "1.0"}});
}

std::string state_line(const StateRun& run) {
  OrderedJson json = OrderedJson::object();
  json["run"] = {{"shard", run.shard}, {"shards", run.shards}, {"plan", run.plan}};
  return with_hash(print_line(json));
}

std::string state_line(const TaskRecord& record) {
  OrderedJson json = OrderedJson::object();
  OrderedJson& task = json["task"];
  task = {{"job", record.name.job},
          {"rig", record.name.rig},
          {"clip", record.name.clip},
          {"key", record.key},
          {"exit_code", record.exit_code},
          {"frames", record.frames},
          {"inputs", files_json(record.inputs)},
          {"outputs", files_json(record.outputs)},
          {"errors", record.errors}};
  if (!record.allowed.empty()) task["allowed"] = record.allowed;
  if (!record.checks.empty()) task["checks"] = checks_json(record.checks);
  task["issues"] = issues_json(record.issues);
  return with_hash(print_line(json));
}

std::string state_line(const PlannedRig& rig, std::span<const StateFile> files) {
  OrderedJson json = OrderedJson::object();
  OrderedJson& line = json["rig"];
  line = {{"path", rig.path},
          {"scene", rig.scene},
          {"allow_outside", rig.allow_outside},
          {"files", files_json(files)}};
  const std::vector<std::string> unread = unread_files(*rig.facts, files);
  if (!unread.empty()) line["unread"] = unread;
  line["clips"] = OrderedJson::array();
  for (const ClipFacts& clip : rig.facts->clips) {
    line["clips"].push_back({{"id", clip.id}, {"duration_s", clip.duration_s}});
  }
  line["meshes"] = OrderedJson::array();
  for (const MeshFacts& mesh : rig.facts->meshes) {
    line["meshes"].push_back({{"id", mesh.id}, {"node", mesh.node}, {"vertices", mesh.vertices}});
  }
  return with_hash(print_line(json));
}

StateLine parse_state_line(const std::string& line) {
  StateLine parsed;
  try {
    json value;
    if (parse_text(line, value) || !value.is_object()) return {};
    if (!value.contains("schema") && !has_own_hash(line)) return {};
    if (value.contains("schema")) {
      parsed.is_head = value["schema"] == kSchema && value.value("schema_version", "") == "1.0";
    } else if (value.contains("run")) {
      parsed.run = run_of_line(value["run"]);
    } else if (value.contains("task")) {
      parsed.record = record_of(value["task"]);
    } else if (value.contains("rig")) {
      parsed.rig = rig_of(value["rig"]);
    }
  } catch (const json::exception&) {
    return {};
  } catch (const std::invalid_argument&) {
    return {};
  }
  return parsed;
}

}  // namespace skinbake
