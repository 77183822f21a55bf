// The files of tasks.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/output_file.h"

namespace skinbake {

// Whether `diff` of two folders may read a file of this name: a cache, a rig, or the sidecar of
// one. Other files, such as reports, may come and go.
bool is_of_library(std::string_view name);

// The links of a folder are resolved once: a plan may have a million outputs in a few folders.
class FilePlaces {
 public:
  std::string of(const std::string& path) {
    const std::filesystem::path file(path);
    std::error_code unknown;
    if (std::filesystem::is_symlink(file, unknown)) return file_keys(path).front();
    const std::string folder = file.parent_path().string();
    const auto [known, is_new] = folders_.try_emplace(folder);
    if (is_new) known->second = file_keys(folder.empty() ? "." : folder).front();
    return (known->second / file.filename()).string();
  }

 private:
  std::unordered_map<std::string, std::filesystem::path> folders_;
};

}  // namespace skinbake
