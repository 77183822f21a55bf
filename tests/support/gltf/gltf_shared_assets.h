// Shared test files, which are not part of the repository.

#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace skinbake::test {

// Returns the folder, or nothing if it does not exist: the test is then skipped, but fails if
// CI=true.
inline std::string shared_assets() {
  const char* given = std::getenv("SKINBAKE_SHARED");
#ifdef SKINBAKE_SOURCE_DIR
  const std::string beside = SKINBAKE_SOURCE_DIR "/../shared";
#else
  const std::string beside = "../shared";
#endif
  const std::string folder = (given != nullptr ? std::string(given) : beside) + "/assets";
  if (std::filesystem::is_directory(folder)) return folder + "/";
  const char* ci = std::getenv("CI");
  const bool required = ci != nullptr && std::string(ci) == "true";
  CHECK_MESSAGE(!required, "there are no shared assets in " << folder);
  MESSAGE("skipped: there are no shared assets in " << folder);
  return "";
}

}  // namespace skinbake::test
