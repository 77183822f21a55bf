// The instruction sets that this build and this processor have in common.

#include <hwy/targets.h>

#include <cstdlib>
#include <mutex>

#include "bake/targets.h"
#include "skinbake/bake.h"
#include "skinbake/error.h"

namespace skinbake {

std::vector<std::string> supported_targets() {
  std::vector<std::string> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    names.emplace_back(hwy::TargetName(target));
  }
  return names;
}

void force_target(std::string_view name) {
  hwy::SetSupportedTargetsForTest(0);
  std::int64_t forced = 0;
  std::string known;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (name == hwy::TargetName(target)) forced = target;
    known += (known.empty() ? "" : ", ") + std::string(hwy::TargetName(target));
  }
  if (forced == 0 && !name.empty()) {
    throw Error(
        ErrorKind::kUsage, "TARGET_UNKNOWN",
        "no instruction set '" + std::string(name) + "' here; SKINBAKE_TARGET can be " + known);
  }
  hwy::SetSupportedTargetsForTest(forced);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

void force_target_of_environment() {
  static std::once_flag once;
  std::call_once(once, [] {
    const char* name = std::getenv("SKINBAKE_TARGET");
    if (name != nullptr && *name != '\0') force_target(name);
  });
}

}  // namespace skinbake
