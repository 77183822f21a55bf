// --format glb:interpolation=step

#pragma once

#include <map>
#include <string>
#include <vector>

#include "skinbake/caches.h"

namespace skinbake::cli {

using FormatOptions = std::map<std::string, std::string>;

// What the texts, each ID:NAME=VALUE,…, say to a format; the last one wins. Throws Error (kUsage)
// if one has another form or names no format.
FormatOptions options_of(const CacheFormat& format, const std::vector<std::string>& texts);

}  // namespace skinbake::cli
