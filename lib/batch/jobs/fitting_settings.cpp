// Refuses defaults and overrides that a job's command cannot take. The settings of a job itself
// were checked when the manifest was parsed.

#include <algorithm>
#include <string>

#include "batch/jobs/batch_plan.h"
#include "json/printable.h"
#include "skinbake/error.h"

namespace skinbake {

// Throws with the place of the setting: --set, or the defaults of the manifest.
void BatchPlan::refuse(const Setting& setting, bool is_override, const std::string& message) const {
  const std::string text = (is_override ? "--set " + setting.key + ": " : "") + message;
  throw Error(is_override ? ErrorKind::kUsage : ErrorKind::kInput, "MANIFEST_INVALID",
              printable(text), {manifest_.path, is_override ? "" : "/defaults/" + setting.key});
}

void BatchPlan::require_fit(std::uint32_t job, const std::vector<Setting>& settings) const {
  const ManifestJob& named = manifest_.jobs[job];
  const ManifestCommand& command = command_of(named);
  for (const Setting& setting : settings) {
    const std::string wrong = misfit(*command.find(setting.key), setting);
    if (wrong.empty()) continue;
    const bool is_override = find_values(overrides_, setting.key) != nullptr;
    const std::string remedy = is_override ? "leave the job out with --only"
                                           : "give the job its own '" + setting.key + "', or null";
    refuse(setting, is_override,
           "the command of job '" + named.name + "' is " + command.name + ", whose '" +
               setting.key + "' " + wrong + ", or " + remedy);
  }
}

// Throws if a setting is an option of the command of none of the jobs: it would have no effect.
void BatchPlan::require_used(std::span<const Setting> settings, bool are_overrides,
                             const std::vector<std::uint32_t>& jobs) const {
  std::vector<ManifestCommand> used;
  std::string names;
  for (const ManifestCommand& command : commands_) {
    const auto is_of = [&](std::uint32_t job) {
      return manifest_.jobs[job].command == command.name;
    };
    if (std::none_of(jobs.begin(), jobs.end(), is_of)) continue;
    used.push_back(command);
    names += (names.empty() ? "" : ", ") + command.name;
  }
  for (const Setting& setting : settings) {
    if (used.empty() || setting.is_removed || find_key(used, setting.key) != nullptr) continue;
    refuse(setting, are_overrides,
           "'" + setting.key + "' is an option of no job's command (" + names +
               "); leave it out, or correct the command");
  }
}

}  // namespace skinbake
