#include "outputs/output_paths.h"

#include <algorithm>
#include <filesystem>

#include "skinbake/error.h"

namespace skinbake::cli {

namespace {

// Two outputs may have the same device, such as /dev/null.
bool is_device(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

}  // namespace

std::string canonical(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(path, failed);
  const auto resolved = std::filesystem::weakly_canonical(absolute, failed);
  return failed ? absolute.lexically_normal().string() : resolved.string();
}

std::string file_name_of(const std::string& id) {
  constexpr std::size_t kLongest = 200;  // most file systems allow 255 bytes, with the extension
  if (id.empty() || id == "." || id == "..") return "_";
  std::string name;
  for (const char c : id) {
    const bool reserved = static_cast<unsigned char>(c) < 0x20 || c == 0x7f ||
                          std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos;
    name += reserved ? '_' : c;
  }
  if (name.size() <= kLongest) return name;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  return name.substr(0, end);
}

std::string shown(const std::string& path) {
  const std::filesystem::path given(path);
  return given.is_absolute() ? given.filename().string() : path;
}

std::string expand(const std::string& pattern, const OutputNames& names, const std::string& what) {
  std::string path;
  for (std::size_t i = 0; i < pattern.size();) {
    const std::size_t close = pattern[i] == '{' ? pattern.find('}', i) : std::string::npos;
    if (close == std::string::npos) {
      path += pattern[i++];
      continue;
    }
    const std::string key = pattern.substr(i + 1, close - i - 1);
    if (key == "mesh") {
      path += file_name_of(names.mesh);
    } else if (key == "clip") {
      path += file_name_of(names.clip);
    } else if (key == "method") {
      path += file_name_of(names.method);
    } else {
      throw Error(
          ErrorKind::kUsage, "PLACEHOLDER_UNKNOWN",
          what + " '" + pattern + "': no {" + key + "}; there are {mesh}, {clip} and {method}");
    }
    i = close + 1;
  }
  return path;
}

void require_distinct(const std::vector<std::string>& paths,
                      const std::function<std::string(const std::string& path)>& note) {
  std::vector<std::string> sorted;
  for (const std::string& path : paths) {
    if (!is_device(path)) sorted.push_back(canonical(path));
  }
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice == sorted.end()) return;
  const auto named = std::find_if(paths.begin(), paths.end(), [&](const std::string& path) {
    return canonical(path) == *twice;
  });
  throw Error(ErrorKind::kUsage, "OUTPUT_TWICE",
              "two outputs have the path '" + *named + "'; name them differently" +
                  (note ? note(*named) : ""));
}

}  // namespace skinbake::cli
