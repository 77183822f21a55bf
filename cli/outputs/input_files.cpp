#include "outputs/input_files.h"

#include <filesystem>
#include <system_error>

#include "skinbake/caches.h"

namespace skinbake::cli {

void InputFiles::add(const std::vector<std::string>& paths, const std::string& role) {
  for (const std::string& path : paths) add(path, role);
}

void InputFiles::add(const Asset& asset) {
  const std::vector<NamedInput> read = named_inputs(asset.files, asset.inputs);
  inputs_.insert(inputs_.end(), read.begin(), read.end());
  add(asset.unread_files, "buffer or image");
}

void InputFiles::add_cache(const std::string& path) {
  add(path, "");
  const auto add_beside = [&](const std::string& file, const char* role) {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) add(file, role);
  };
  add_beside(path + ".json", "sidecar");
  const CacheFormat* const format = find_cache_format_of(path);
  if (format == nullptr || format->possible_auxiliary_files == nullptr) return;
  for (const std::string& file : format->possible_auxiliary_files(path)) {
    add_beside(file, "auxiliary file");
  }
}

}  // namespace skinbake::cli
