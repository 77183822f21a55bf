#include "caches/needs_rig.h"

#include "skinbake/error.h"

namespace skinbake {

void require_rig(const std::string& format, const std::string& path, const CacheHeader& header) {
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorKind::kUsage, "CACHE_UNSUITABLE", "a " + format + what, {path, ""});
  };
  if (header.rig == nullptr) {
    fail(" has triangles, which a cache does not know; bake it from its rig");
  }
  if (!header.axes.are_ours()) fail(" is in metres, y up; leave out --up and --scale");
}

}  // namespace skinbake
