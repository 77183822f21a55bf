#include <hwy/targets.h>

#include "bake/kernels/targets.h"
#include "base/nearest_word.h"
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
  std::vector<std::string> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (name == hwy::TargetName(target)) forced = target;
    known += (known.empty() ? "" : ", ") + std::string(hwy::TargetName(target));
    names.emplace_back(hwy::TargetName(target));
  }
  if (forced == 0 && !name.empty()) {
    throw Error("TARGET_UNKNOWN", "no instruction set '" + std::string(name) +
                                      "' here; there are: " + known + did_you_mean(name, names));
  }
  hwy::SetSupportedTargetsForTest(forced);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace skinbake
