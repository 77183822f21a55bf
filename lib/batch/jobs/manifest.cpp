// Parses a manifest event by event: a library may have a million jobs, and a document of them would
// take several times their memory.

#include "batch/jobs/manifest.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_set>
#include <utility>

#include "base/nearest_word.h"
#include "json/json_text.h"
#include "json/printable.h"
#include "skinbake/error.h"
#include "skinbake/memory.h"

namespace skinbake {

namespace {

using nlohmann::json;

constexpr const char* kRemedy = "skinbake batch --schema prints the form of manifests";

class ManifestParser : public json::json_sax_t {
 public:
  // `max_memory`: bytes of the jobs.
  ManifestParser(const std::string& path, std::span<const ManifestCommand> commands,
                 std::uint64_t max_memory)
      : commands_(commands), max_memory_(max_memory) {
    manifest_.path = path;
  }

  // The bytes of the jobs. If they exceed the limit, jobs are only counted.
  std::uint64_t memory() const { return memory_; }

  // Call after the whole text was parsed, if its jobs do not exceed the limit.
  Manifest finish() {
    if (schema_ != "skinbake.batch") {
      fail("/schema", "is not \"skinbake.batch\"; " + std::string(kRemedy));
    }
    if (!version_.starts_with("1.")) {
      fail("/schema_version", "'" + version_ + "' is not supported; write \"1.0\"");
    }
    if (!has_jobs_) fail("", "does not have \"jobs\"; " + std::string(kRemedy));
    check_defaults();
    std::unordered_set<std::string> names;
    for (std::size_t i = 0; i < manifest_.jobs.size(); ++i) settle(i, names);
    return std::move(manifest_);
  }

  bool start_object(std::size_t) override {
    if (place_ == Place::kStart) return go(Place::kRoot);
    if (place_ == Place::kRoot && key_ == "defaults") return open_job(Place::kDefaults);
    if (place_ == Place::kJobs) return open_job(Place::kJob);
    fail(pointer(), "is an object; " + std::string(kRemedy));
  }
  bool end_object() override {
    if (place_ == Place::kJob) {
      ++job_count_;
      // A list that grows is copied, and finish() compares the names of the jobs.
      if (takes(3 * sizeof(ManifestJob) + 96)) {
        manifest_.jobs.push_back({std::move(name_), std::move(command_), std::move(settings_)});
      }
      return go(Place::kJobs);
    }
    if (place_ == Place::kDefaults) {
      manifest_.defaults = std::move(settings_);
      default_command_ = std::move(command_);
      return go(Place::kRoot);
    }
    return go(Place::kEnd);
  }
  bool start_array(std::size_t) override {
    if (place_ == Place::kRoot && key_ == "jobs") {
      has_jobs_ = true;
      return go(Place::kJobs);
    }
    if (place_ == Place::kJob || place_ == Place::kDefaults) {
      list_of_ = place_;
      list_.clear();
      return go(Place::kList);
    }
    fail(pointer(), "is a list; " + std::string(kRemedy));
  }
  bool end_array() override {
    if (place_ == Place::kJobs) return go(Place::kRoot);
    place_ = list_of_;
    if (list_.empty() && !is_over()) fail(pointer(), "is an empty list; leave the key out");
    add(std::move(list_));
    return true;
  }
  bool key(string_t& name) override {
    key_ = name;
    if (place_ == Place::kRoot) return check_root_key();
    if (!is_over() && !keys_.insert(name).second) fail(pointer(), "is given twice; leave one out");
    return true;
  }

  bool null() override { return remove(); }
  bool boolean(bool truth) override { return truth ? scalar("", true) : remove(); }
  bool number_integer(number_integer_t number) override {
    return scalar(std::to_string(number), false);
  }
  bool number_unsigned(number_unsigned_t number) override {
    return scalar(std::to_string(number), false);
  }
  bool number_float(number_float_t, const string_t& text) override { return scalar(text, false); }
  bool string(string_t& text) override { return scalar(text, false); }
  bool binary(binary_t&) override { return false; }  // JSON does not have it
  bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
    std::string cause = error.what();
    if (const std::size_t end = cause.find("] "); end != std::string::npos) cause.erase(0, end + 2);
    throw Error(ErrorKind::kInput, "JSON_INVALID",
                "is not JSON: " + printable(cause) + "; correct the manifest",
                {manifest_.path, ""});
  }

 private:
  enum class Place { kStart, kRoot, kDefaults, kJobs, kJob, kList, kEnd };

  bool go(Place place) {
    place_ = place;
    return true;
  }

  bool open_job(Place place) {
    keys_.clear();
    settings_ = {};
    name_.clear();
    command_.clear();
    return go(place);
  }

  std::string pointer() const {
    switch (place_) {
      case Place::kStart:
      case Place::kEnd:
        return "";
      case Place::kRoot:
        return "/" + pointer_token(key_);
      case Place::kDefaults:
        return "/defaults/" + pointer_token(key_);
      case Place::kJobs:
        return "/jobs/" + std::to_string(job_count_);
      case Place::kJob:
        return job_pointer(job_count_, key_);
      case Place::kList:
        return (list_of_ == Place::kDefaults ? "/defaults"
                                             : "/jobs/" + std::to_string(job_count_)) +
               "/" + pointer_token(key_);
    }
    return "";
  }
  static std::string job_pointer(std::size_t job, const std::string& key) {
    return "/jobs/" + std::to_string(job) + "/" + pointer_token(key);
  }

  [[noreturn]] void fail(const std::string& pointer, const std::string& message) const {
    throw Error(ErrorKind::kInput, "MANIFEST_INVALID", printable(message),
                {manifest_.path, pointer});
  }

  // Vectors grow to twice their content.
  static std::uint64_t bytes_of(const std::string& value) {
    return 2 * (sizeof(std::string) + value.size());
  }

  bool is_over() const { return memory_ > max_memory_; }

  // Counts bytes. Returns whether they may be stored: the error names the memory of all jobs.
  bool takes(std::uint64_t bytes) {
    memory_ = saturated_sum(memory_, bytes);
    if (is_over()) manifest_.jobs = {}, settings_ = {}, list_ = {}, keys_ = {};
    return !is_over();
  }

  bool check_root_key() {
    const std::vector<std::string> known{"schema", "schema_version", "defaults", "jobs"};
    if (key_ == "$schema" || std::find(known.begin(), known.end(), key_) != known.end()) {
      if (!root_keys_.insert(key_).second) fail(pointer(), "is given twice; leave one out");
      return true;
    }
    fail(pointer(), "'" + key_ + "' is not a key of a manifest" + suggestion(key_, known));
  }

  static std::string suggestion(const std::string& key, const std::vector<std::string>& known) {
    const std::string nearest = did_you_mean(key, known);
    return nearest.empty() ? "; " + std::string(kRemedy) : nearest;
  }

  bool scalar(std::string text, bool is_truth) {
    switch (place_) {
      case Place::kRoot:
        if (key_ == "schema" || key_ == "$schema" || key_ == "schema_version") {
          if (key_ == "schema") schema_ = std::move(text);
          if (key_ == "schema_version") version_ = std::move(text);
          return true;
        }
        fail(pointer(),
             std::string("is not ") + (key_ == "jobs" ? "a list" : "an object") + "; " + kRemedy);
      case Place::kList:
        if (is_truth) fail(pointer(), "has a list with true in it; write texts or numbers");
        if (takes(bytes_of(text))) list_.push_back(std::move(text));
        return true;
      case Place::kJob:
      case Place::kDefaults:
        if (is_truth) {
          add({});
        } else {
          takes(bytes_of(text));
          add({std::move(text)});  // counts its key too
        }
        return true;
      default:
        fail(pointer(), "is not an object; " + std::string(kRemedy));
    }
  }

  bool remove() {
    if (place_ != Place::kJob && place_ != Place::kDefaults) {
      fail(pointer(), "is null or false, which only a key of a job can be");
    }
    if (takes(2 * (sizeof(Setting) + key_.size()))) settings_.push_back({key_, {}, true});
    return true;
  }

  void add(std::vector<std::string> values) {
    if (!takes(2 * (sizeof(Setting) + key_.size()))) return;
    const bool is_text = values.size() == 1;
    if (key_ == "name" && place_ == Place::kJob) {
      if (!is_text) fail(pointer(), "is not a text");
      name_ = std::move(values.front());
      if (name_.empty()) fail(pointer(), "is empty; give the job a name, or leave the key out");
    } else if (key_ == "command") {
      if (!is_text) fail(pointer(), "is not a text");
      command_ = std::move(values.front());
    } else {
      settings_.push_back({key_, std::move(values)});
    }
  }

  const ManifestCommand& command_of(const std::string& name, const std::string& at) const {
    std::vector<std::string> names;
    for (const ManifestCommand& command : commands_) {
      if (command.name == name) return command;
      names.push_back(command.name);
    }
    std::string list;
    for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
    const std::string nearest = did_you_mean(name, names);
    fail(at, "'" + name + "' is not a command of manifests" +
                 (nearest.empty() ? "; there are: " + list : nearest));
  }

  void check_value(const ManifestKey& key, const Setting& setting, const std::string& at) const {
    const std::string wrong = misfit(key, setting);
    if (!wrong.empty()) fail(at, wrong);
    for (const std::string& value : setting.values) {
      if (value.find('\0') != std::string::npos) fail(at, "contains a NUL character; remove it");
    }
  }

  void check_defaults() const {
    for (const Setting& setting : manifest_.defaults) {
      const std::string at = "/defaults/" + pointer_token(setting.key);
      const ManifestKey* const found = find_key(commands_, setting.key);
      if (found == nullptr) {
        std::set<std::string> known;
        for (const ManifestCommand& command : commands_) {
          for (const ManifestKey& key : command.keys) known.insert(key.name);
        }
        fail(at, "'" + setting.key + "' is not an option of any command" +
                     suggestion(setting.key, {known.begin(), known.end()}));
      }
      check_value(*found, setting, at);
    }
  }

  // Checks a job against its command and gives it a name.
  void settle(std::size_t number, std::unordered_set<std::string>& names) {
    ManifestJob& job = manifest_.jobs[number];
    if (job.command.empty()) job.command = default_command_.empty() ? "bake" : default_command_;
    const ManifestCommand& command = command_of(job.command, job_pointer(number, "command"));
    for (const Setting& setting : job.settings) {
      const ManifestKey* const key = command.find(setting.key);
      if (key == nullptr) fail_unknown(command, setting.key, number);
      check_value(*key, setting, job_pointer(number, setting.key));
    }
    if (job.name.empty()) job.name = "job-" + std::to_string(number + 1);
    if (names.insert(job.name).second) return;
    fail(job_pointer(number, "name"),
         "'" + job.name + "' is the name of an earlier job too; give each job its own name");
  }

  [[noreturn]] void fail_unknown(const ManifestCommand& command, const std::string& key,
                                 std::size_t job) const {
    std::vector<std::string> known{"name", "command"};
    for (const ManifestKey& each : command.keys) known.push_back(each.name);
    fail(job_pointer(job, key),
         "'" + key + "' is not an option of " + command.name + suggestion(key, known));
  }

  std::span<const ManifestCommand> commands_;
  std::uint64_t max_memory_, memory_ = 0;
  Manifest manifest_;
  std::size_t job_count_ = 0;
  Place place_ = Place::kStart, list_of_ = Place::kJob;
  std::string key_, schema_, version_, name_, command_, default_command_;
  bool has_jobs_ = false;
  std::set<std::string> root_keys_, keys_;  // of the object that is read
  std::vector<Setting> settings_;           // of the object that is read
  std::vector<std::string> list_;
};

}  // namespace

Manifest parse_manifest(std::string_view text, const std::string& path,
                        std::span<const ManifestCommand> commands, std::uint64_t max_memory) {
  ManifestParser parser(path, commands, max_memory - std::min(max_memory, text.size()));
  json::sax_parse(text, &parser);
  MemoryPlan plan;
  plan.hold("its text", text.size());
  plan.hold("its jobs", parser.memory());
  plan.require(max_memory, "the manifest", "split it", {path, ""});
  Manifest manifest = parser.finish();
  manifest.memory = parser.memory();
  return manifest;
}

}  // namespace skinbake
