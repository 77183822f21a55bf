// Every cache format, in the order shown to users. Adding one: list it.

#include <algorithm>
#include <array>
#include <cctype>

#include "caches/pc2.h"
#include "skinbake/error.h"

namespace skinbake {

std::span<const CacheFormat> cache_formats() {
  static const std::array kFormats{kPc2};
  return kFormats;
}

const CacheFormat& cache_format_of(const std::string& path) {
  std::string lower = path;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::string known;
  for (const CacheFormat& format : cache_formats()) {
    if (lower.ends_with(format.extension)) return format;
    known += (known.empty() ? "" : ", ") + std::string(format.extension);
  }
  throw Error(ErrorKind::kUsage, "FORMAT_UNKNOWN",
              "output '" + path + "': the extension picks the format; there are: " + known);
}

}  // namespace skinbake
