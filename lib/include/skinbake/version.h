// The version of these headers, and the version of the library with which a program runs.

#pragma once

#include <string_view>

// CMakeLists.txt reads the project's version from these three lines.
#define SKINBAKE_VERSION_MAJOR 0
#define SKINBAKE_VERSION_MINOR 2
#define SKINBAKE_VERSION_PATCH 0

// "0.2.0".
#define SKINBAKE_VERSION_STRING                                                \
  SKINBAKE_VERSION_TEXT(SKINBAKE_VERSION_MAJOR)                                \
  "." SKINBAKE_VERSION_TEXT(SKINBAKE_VERSION_MINOR) "." SKINBAKE_VERSION_TEXT( \
      SKINBAKE_VERSION_PATCH)
#define SKINBAKE_VERSION_TEXT(number) SKINBAKE_VERSION_TEXT_OF(number)
#define SKINBAKE_VERSION_TEXT_OF(number) #number

// Grows with every version: 0.2.0 is 200, 1.2.3 is 10203.
#define SKINBAKE_VERSION_NUMBER \
  (SKINBAKE_VERSION_MAJOR * 10000 + SKINBAKE_VERSION_MINOR * 100 + SKINBAKE_VERSION_PATCH)

namespace skinbake {

// The version of the library that is linked or loaded, "0.2.0". It equals SKINBAKE_VERSION_STRING
// unless a shared library was replaced after the program was compiled. Never throws.
std::string_view version();

}  // namespace skinbake
