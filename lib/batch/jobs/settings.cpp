// The settings of a job: its own, those of the defaults, and those of the command line.

#include <algorithm>

#include "skinbake/tool/manifest.h"

namespace skinbake {

const ManifestKey* ManifestCommand::find(std::string_view key) const {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const ManifestKey& k) { return k.name == key; });
  return found == keys.end() ? nullptr : &*found;
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
  const auto is_overridden = [&](const std::string& key) {
    return find_values(overrides, key) != nullptr;
  };
  for (const Setting& setting : manifest.defaults) {
    const bool is_removed =
        std::find(job.removed.begin(), job.removed.end(), setting.key) != job.removed.end();
    if (is_removed || command.find(setting.key) == nullptr || is_overridden(setting.key) ||
        find_values(job.settings, setting.key) != nullptr) {
      continue;
    }
    settings.push_back(setting);
  }
  for (const Setting& setting : job.settings) {
    if (!is_overridden(setting.key)) settings.push_back(setting);
  }
  for (const Setting& setting : overrides) {
    if (command.find(setting.key) != nullptr) settings.push_back(setting);
  }
  return settings;
}

}  // namespace skinbake
