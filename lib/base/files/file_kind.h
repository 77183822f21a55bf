// What a path leads to, links followed. A path that cannot be examined leads to neither kind.

#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace skinbake {

inline bool is_regular_file(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::is_regular_file(path, unknown);
}

inline bool is_folder(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::is_directory(path, unknown);
}

}  // namespace skinbake
