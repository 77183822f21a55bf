// The folder of sample files that stands beside the checkout and is not part of the repository.

#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

namespace skinbake::test {

// $SKINBAKE_SHARED, else ../shared beside the source folder. Where `inside` is missing from it, the
// test case fails if CI=true; otherwise nothing is returned and the caller leaves:
//
//   const auto assets = shared_folder("assets");
//   if (!assets) return;
inline std::optional<std::filesystem::path> shared_folder(std::string_view inside) {
  const char* given = std::getenv("SKINBAKE_SHARED");
  const std::filesystem::path folder =
      given != nullptr ? std::filesystem::path(given)
                       : std::filesystem::path(SKINBAKE_SOURCE_DIR).parent_path() / "shared";
  if (std::filesystem::exists(folder / inside)) return folder / inside;
  const char* ci = std::getenv("CI");
  if (ci != nullptr && std::string_view(ci) == "true") {
    FAIL("missing: ", (folder / inside).string(), " (set SKINBAKE_SHARED)");
  }
  MESSAGE("skipped: no ", (folder / inside).string(), " (set SKINBAKE_SHARED)");
  return std::nullopt;
}

}  // namespace skinbake::test
