// The version of the library.

#include "skinbake/error.h"

namespace skinbake {

// The build system reads the version from the header, and compiles it into caches and reports.
static_assert(std::string_view(SKINBAKE_VERSION) == SKINBAKE_VERSION_STRING);

std::string_view version() {
  return SKINBAKE_VERSION_STRING;
}

}  // namespace skinbake
