// What --format usda:… says.

#pragma once

#include <map>
#include <string>
#include <string_view>

namespace skinbake {

struct UsdaOptions {
  bool normals = false;  // those that the header has
};

inline constexpr std::string_view kUsdaOptions = "normals=0|1";

// Throws Error (kUsage) for an option or a value that there is not.
UsdaOptions parse_usda_options(const std::map<std::string, std::string>& options);

}  // namespace skinbake
