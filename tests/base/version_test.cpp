#include "skinbake/error.h"

#include <doctest/doctest.h>

namespace skinbake {

TEST_CASE("version: headers, library and build system agree") {
  CHECK(version() == SKINBAKE_VERSION_STRING);
  CHECK(version() == SKINBAKE_TEST_VERSION);
  CHECK(SKINBAKE_VERSION_NUMBER ==
        SKINBAKE_VERSION_MAJOR * 10000 + SKINBAKE_VERSION_MINOR * 100 + SKINBAKE_VERSION_PATCH);
}

}  // namespace skinbake
