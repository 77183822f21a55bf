// The settings of a job: its own, those of the defaults, and those of the command line.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/nearest_word.h"
#include "json/json_text.h"
#include "json/printable.h"
#include "skinbake/error.h"

#include "batch/jobs/manifest.h"

namespace skinbake {

const ManifestKey* ManifestCommand::find(std::string_view key) const {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const ManifestKey& k) { return k.name == key; });
  return found == keys.end() ? nullptr : &*found;
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
  // Adds those that none of the later settings replaces.
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
  throw Error(ErrorKind::kUsage, "MANIFEST_INVALID", printable(message), {});
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
  constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 24;
  nlohmann::json list;
  if (!text.starts_with('[') || parse_text(text, kMostMemory, list) || !list.is_array()) return {};
  std::vector<std::string> values;
  for (const nlohmann::json& value : list) {
    if (!value.is_string() && !value.is_number()) {
      refuse("'" + key + "' has a list with other elements than texts and numbers");
    }
    values.push_back(value.is_string() ? value.get<std::string>() : value.dump());
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

}  // namespace skinbake
