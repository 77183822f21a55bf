#include "output_paths.h"

#include <algorithm>
#include <filesystem>

#include "skinbake/error.h"

namespace skinbake::cli {

std::string file_name_of(const std::string& id) {
  constexpr std::size_t kLongest = 200;  // most file systems take 255 bytes, with an extension
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

std::string expand(const std::string& pattern, const OutputNames& names) {
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
      throw Error(ErrorKind::kUsage, "PLACEHOLDER_UNKNOWN",
                  "output '" + pattern + "': no {" + key +
                      "}; there are {mesh}, {clip} and {method}");
    }
    i = close + 1;
  }
  return path;
}

void require_distinct(const std::vector<std::string>& paths) {
  std::vector<std::string> sorted;
  for (const std::string& path : paths) {
    std::error_code ignored;
    sorted.push_back(std::filesystem::weakly_canonical(path, ignored).string());
    if (ignored) sorted.back() = std::filesystem::path(path).lexically_normal().string();
  }
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw Error(ErrorKind::kUsage, "OUTPUT_TWICE",
                "two outputs have the path " + *twice +
                    "; use {mesh}, {clip} or {method} in it, or choose with --mesh and --clip");
  }
}

}  // namespace skinbake::cli
