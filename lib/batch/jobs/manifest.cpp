// Reads a manifest and the settings of the command line, and prints the schema of manifests.

#include "batch/jobs/manifest.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_set>
#include <utility>

#include "base/nearest_word.h"
#include "json/json_text.h"
#include "json/print.h"
#include "json/text.h"
#include "report/report_form.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

using nlohmann::ordered_json;

constexpr const char* kRemedy = "the schema of manifests shows their form";

std::string suggestion(const std::string& key, const std::vector<std::string>& known) {
  const std::string nearest = did_you_mean(key, known);
  return nearest.empty() ? "; " + std::string(kRemedy) : nearest;
}

std::string with_key(const std::string& pointer, const std::string& key) {
  return pointer + "/" + pointer_token(key);
}

class ManifestReader {
 public:
  ManifestReader(const std::string& path, std::span<const ManifestCommand> commands)
      : path_(path), commands_(commands) {}

  Manifest read(const ordered_json& document) const {
    if (!document.is_object()) fail("", "is not an object; " + std::string(kRemedy));
    check_members(document);
    Manifest manifest;
    manifest.path = path_;
    std::string command;
    if (const auto defaults = document.find("defaults"); defaults != document.end()) {
      manifest.defaults = settings_of(*defaults, "/defaults");
      command = take(manifest.defaults, "command", "/defaults");
      check_defaults(manifest.defaults);
    }
    std::unordered_set<std::string> names;
    for (const ordered_json& job : document.at("jobs")) {
      manifest.jobs.push_back(job_of(job, manifest.jobs.size(), command));
      const std::string& name = manifest.jobs.back().name;
      if (names.insert(name).second) continue;
      fail(pointer_of(manifest.jobs.size() - 1) + "/name",
           "'" + name + "' is the name of an earlier job too; give each job its own name");
    }
    return manifest;
  }

 private:
  [[noreturn]] void fail(const std::string& pointer, const std::string& message) const {
    throw Error("MANIFEST_INVALID", printable(message), {path_, pointer});
  }

  static std::string pointer_of(std::size_t job) { return "/jobs/" + std::to_string(job); }

  void check_members(const ordered_json& document) const {
    const std::vector<std::string> known{"schema", "schema_version", "defaults", "jobs"};
    for (const auto& [key, value] : document.items()) {
      if (key == "$schema" || std::find(known.begin(), known.end(), key) != known.end()) continue;
      fail(with_key("", key), "'" + key + "' is not a key of a manifest" + suggestion(key, known));
    }
    if (document.value("schema", ordered_json()) != "skinbake.batch") {
      fail("/schema", "is not \"skinbake.batch\"; " + std::string(kRemedy));
    }
    const ordered_json version = document.value("schema_version", ordered_json(""));
    if (!version.is_string() || !version.get_ref<const std::string&>().starts_with("1.")) {
      fail("/schema_version", dumped(version) + " is not supported; write \"1.0\"");
    }
    if (!document.contains("jobs")) fail("", "does not have \"jobs\"; " + std::string(kRemedy));
    if (!document.at("jobs").is_array()) fail("/jobs", "is not a list; " + std::string(kRemedy));
  }

  // The text of a text or number.
  std::string text_of(const ordered_json& value, const std::string& pointer) const {
    if (value.is_number()) return dumped(value);
    if (!value.is_string()) {
      fail(pointer,
           std::string("has ") + value.type_name() + " where a text or a number is needed");
    }
    std::string text = value.get<std::string>();
    if (text.find('\0') != std::string::npos) {
      fail(pointer, "contains a NUL character; remove it");
    }
    return text;
  }

  Setting setting_of(const std::string& key, const ordered_json& value,
                     const std::string& pointer) const {
    if (value.is_null() || value == false) return {key, {}, true};
    if (value == true) return {key, {}};
    if (value.is_object()) fail(pointer, "is an object; " + std::string(kRemedy));
    if (!value.is_array()) return {key, {text_of(value, pointer)}};
    if (value.empty()) fail(pointer, "is an empty list; leave the key out");
    Setting setting{key, {}};
    for (const ordered_json& element : value) setting.values.push_back(text_of(element, pointer));
    return setting;
  }

  std::vector<Setting> settings_of(const ordered_json& object, const std::string& pointer) const {
    if (!object.is_object()) fail(pointer, "is not an object; " + std::string(kRemedy));
    std::vector<Setting> settings;
    settings.reserve(object.size());
    for (const auto& [key, value] : object.items()) {
      settings.push_back(setting_of(key, value, with_key(pointer, key)));
    }
    return settings;
  }

  // Removes the text of a key from the settings; empty: it is not there.
  std::string take(std::vector<Setting>& settings, const std::string& key,
                   const std::string& pointer) const {
    const auto found = std::find_if(settings.begin(), settings.end(),
                                    [&](const Setting& setting) { return setting.key == key; });
    if (found == settings.end()) return "";
    const Setting setting = std::move(*found);
    settings.erase(found);
    if (setting.is_removed) return "";
    if (setting.values.size() != 1 || setting.values.front().empty()) {
      fail(with_key(pointer, key),
           "is not a text, or is empty; write a text, or leave the key out");
    }
    return setting.values.front();
  }

  const ManifestCommand& command_of(const std::string& name, const std::string& pointer) const {
    std::vector<std::string> names;
    std::string list;
    for (const ManifestCommand& command : commands_) {
      if (command.name == name) return command;
      names.push_back(command.name);
      list += (list.empty() ? "" : ", ") + command.name;
    }
    const std::string nearest = did_you_mean(name, names);
    fail(pointer + "/command", "'" + name + "' is not a command of manifests" +
                                   (nearest.empty() ? "; there are: " + list : nearest));
  }

  void check_value(const ManifestKey& key, const Setting& setting,
                   const std::string& pointer) const {
    const std::string wrong = misfit(key, setting);
    if (!wrong.empty()) fail(with_key(pointer, setting.key), wrong);
  }

  void check_defaults(const std::vector<Setting>& defaults) const {
    for (const Setting& setting : defaults) {
      const ManifestKey* const found = find_key(commands_, setting.key);
      if (found == nullptr) {
        std::set<std::string> known;
        for (const ManifestCommand& command : commands_) {
          for (const ManifestKey& key : command.keys) known.insert(key.name);
        }
        fail(with_key("/defaults", setting.key),
             "'" + setting.key + "' is not an option of any command" +
                 suggestion(setting.key, {known.begin(), known.end()}));
      }
      check_value(*found, setting, "/defaults");
    }
  }

  ManifestJob job_of(const ordered_json& object, std::size_t number,
                     const std::string& default_command) const {
    const std::string pointer = pointer_of(number);
    ManifestJob job;
    job.settings = settings_of(object, pointer);
    job.name = take(job.settings, "name", pointer);
    if (job.name.empty()) job.name = "job-" + std::to_string(number + 1);
    job.command = take(job.settings, "command", pointer);
    if (job.command.empty()) job.command = default_command.empty() ? "bake" : default_command;
    const ManifestCommand& command = command_of(job.command, pointer);
    for (const Setting& setting : job.settings) {
      const ManifestKey* const key = command.find(setting.key);
      if (key == nullptr) fail_unknown(command, setting.key, pointer);
      check_value(*key, setting, pointer);
    }
    return job;
  }

  [[noreturn]] void fail_unknown(const ManifestCommand& command, const std::string& key,
                                 const std::string& pointer) const {
    std::vector<std::string> known{"name", "command"};
    for (const ManifestKey& each : command.keys) known.push_back(each.name);
    fail(with_key(pointer, key),
         "'" + key + "' is not an option of " + command.name + suggestion(key, known));
  }

  const std::string& path_;
  std::span<const ManifestCommand> commands_;
};

}  // namespace

Manifest parse_manifest(std::string_view text, const std::string& path,
                        std::span<const ManifestCommand> commands) {
  ordered_json document;
  const JsonProblem problem = parse_text(text, document);
  switch (problem.fault) {
    case JsonFault::kNone:
      break;
    case JsonFault::kRepeated:
      throw Error("MANIFEST_INVALID", problem.text + "; leave one out", {path, problem.pointer});
    default:
      throw Error("MANIFEST_INVALID", problem.text + "; correct the manifest", {path, ""});
  }
  return ManifestReader(path, commands).read(document);
}

const ManifestKey* ManifestCommand::find(std::string_view key) const {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const ManifestKey& k) { return k.name == key; });
  return found == keys.end() ? nullptr : &*found;
}

std::string ManifestKey::path_of(const std::string& value) const {
  if (!is_report) return value;
  const std::optional<ReportFile> report = report_file(value);
  return report ? report->path : value;
}

const ManifestKey* find_key(std::span<const ManifestCommand> commands, std::string_view name) {
  const ManifestKey* found = nullptr;
  for (const ManifestCommand& command : commands) {
    const ManifestKey* const key = command.find(name);
    if (key == nullptr) continue;
    if (found == nullptr || (key->takes_list() && !found->takes_list())) found = key;
  }
  return found;
}

const std::vector<std::string>* find_values(std::span<const Setting> settings,
                                            std::string_view key) {
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [&](const Setting& setting) { return setting.key == key; });
  return found == settings.end() ? nullptr : &found->values;
}

std::vector<Setting> settings_of(const Manifest& manifest, const ManifestJob& job,
                                 const ManifestCommand& command,
                                 std::span<const Setting> overrides) {
  std::vector<Setting> settings;
  // Adds the settings that no later setting replaces.
  const auto add = [&](std::span<const Setting> added, std::span<const Setting> later,
                       std::span<const Setting> latest) {
    for (const Setting& setting : added) {
      const bool is_replaced = find_values(later, setting.key) || find_values(latest, setting.key);
      if (is_replaced || setting.is_removed || command.find(setting.key) == nullptr) continue;
      settings.push_back(setting);
    }
  };
  add(manifest.defaults, job.settings, overrides);
  add(job.settings, overrides, {});
  add(overrides, {}, {});
  return settings;
}

std::string misfit(const ManifestKey& key, const Setting& setting) {
  if (setting.is_removed) return "";
  if (key.is_flag) return setting.values.empty() ? "" : "takes true or false";
  if (setting.values.empty()) return "needs a value; 'true' is for keys that are switched on";
  if (setting.values.size() == 1 || key.takes_list()) return "";
  return "takes one value; write a text or a number instead of a list";
}

namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error("OVERRIDE_INVALID", printable(message));
}

const ManifestKey& key_of(const std::string& name, std::span<const ManifestCommand> commands) {
  if (const ManifestKey* const key = find_key(commands, name)) return *key;
  std::vector<std::string> names;
  for (const ManifestCommand& command : commands) {
    for (const ManifestKey& key : command.keys) names.push_back(key.name);
  }
  refuse("'" + name + "' is not a key of manifests" + did_you_mean(name, names));
}

Setting flag_setting(const std::string& key, const std::string& value) {
  if (value == "true" || value.empty()) return {key, {}};
  if (value == "false" || value == "null") return {key, {}, true};
  refuse("'" + key + "' takes true or false, not '" + value + "'");
}

// The elements of a JSON list; none: the text is not one, such as the pattern "[ab]*.glb".
std::vector<std::string> list_of(const std::string& key, const std::string& text) {
  nlohmann::json list;
  if (!text.starts_with('[') || parse_text(text, list) || !list.is_array()) return {};
  std::vector<std::string> values;
  for (const nlohmann::json& value : list) {
    if (!value.is_string() && !value.is_number()) {
      refuse("'" + key + "' has a list with other elements than texts and numbers");
    }
    values.push_back(value.is_string() ? value.get<std::string>() : dumped(value));
  }
  if (values.empty()) refuse("'" + key + "' is an empty list; null removes the key");
  return values;
}

}  // namespace

Setting parse_setting(const std::string& text, std::span<const ManifestCommand> commands) {
  const std::size_t equals = text.find('=');
  const ManifestKey& key = key_of(text.substr(0, equals), commands);
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (key.is_flag) return flag_setting(key.name, value);
  if (value.empty()) {
    refuse("'" + key.name + "' needs a value; write KEY=VALUE, or KEY=null to remove it");
  }
  if (value == "null") return {key.name, {}, true};
  std::vector<std::string> values = list_of(key.name, value);
  if (values.empty()) values.push_back(value);
  Setting setting{key.name, std::move(values)};
  const std::string wrong = misfit(key, setting);
  if (!wrong.empty()) refuse("'" + key.name + "' " + wrong);
  return setting;
}

namespace {

OrderedJson key_schema(const ManifestKey& key) {
  OrderedJson schema{{"description", key.help}};
  const OrderedJson setting{{"type", {"string", "number", "null", "boolean"}}};
  if (key.is_flag) {
    schema["type"] = OrderedJson::array({"boolean", "null"});
  } else if (key.takes_list()) {
    schema["anyOf"] =
        OrderedJson::array({setting,
                            {{"type", "array"},
                             {"minItems", 1},
                             {"items", {{"type", OrderedJson::array({"string", "number"})}}}}});
  } else {
    schema.update(setting);
  }
  return schema;
}

// Adds the key of the command, and the keys of one command or of several. Of keys of one name, the
// key with a list describes all.
void add_keys(std::span<const ManifestCommand> commands, OrderedJson& properties) {
  properties["command"]["enum"] = OrderedJson::array();
  std::map<std::string, const ManifestKey*> keys;
  for (const ManifestCommand& command : commands) {
    properties["command"]["enum"].push_back(command.name);
    for (const ManifestKey& key : command.keys) keys[key.name] = find_key(commands, key.name);
  }
  for (const auto& [name, key] : keys) properties[name] = key_schema(*key);
}

OrderedJson object_schema(OrderedJson properties) {
  return {
      {"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
}

}  // namespace

std::string manifest_schema(std::span<const ManifestCommand> commands) {
  OrderedJson settings = OrderedJson::object();
  add_keys(commands, settings);
  OrderedJson job{{"name",
                   {{"description", "Name of the job; default: job-1, job-2, …"},
                    {"type", "string"},
                    {"minLength", 1}}}};
  add_keys(commands, job);
  OrderedJson defaults{{"description", "Settings of every job whose command has them"}};
  defaults.update(object_schema(std::move(settings)));
  OrderedJson schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                     {"title", "Manifest of skinbake batch"},
                     {"required", {"schema", "schema_version", "jobs"}}};
  schema.update(
      object_schema({{"$schema", {{"type", "string"}}},
                     {"schema", {{"const", "skinbake.batch"}}},
                     {"schema_version", {{"type", "string"}, {"pattern", "^1\\."}}},
                     {"defaults", std::move(defaults)},
                     {"jobs", {{"type", "array"}, {"items", object_schema(std::move(job))}}}}));
  return print(schema);
}

}  // namespace skinbake
