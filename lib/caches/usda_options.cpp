#include "caches/usda_options.h"

#include "skinbake/error.h"

namespace skinbake {

UsdaOptions parse_usda_options(const std::map<std::string, std::string>& options) {
  UsdaOptions parsed;
  for (const auto& [name, value] : options) {
    if (name == "normals" && (value == "0" || value == "1")) {
      parsed.normals = value == "1";
      continue;
    }
    throw Error(
        ErrorKind::kUsage, "FORMAT_OPTION_UNKNOWN",
        "--format usda: no '" + name + "=" + value + "'; there is " + std::string(kUsdaOptions));
  }
  return parsed;
}

}  // namespace skinbake
