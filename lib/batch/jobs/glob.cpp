#include "batch/jobs/glob.h"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "base/paths.h"

namespace skinbake {

namespace {

constexpr const char* kAnyFolders = "**";

// Splits "a/b*/c.glb" at its slashes. "" comes first for an absolute path. A "**" that another one
// follows finds nothing more, unless that is the last part, which means "*".
std::vector<std::string> parts_of(const std::string& pattern) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = pattern.find('/', begin);
    const bool is_last = end == std::string::npos;
    std::string part = pattern.substr(begin, end - begin);
    const bool is_repeated =
        !is_last && part == kAnyFolders && !parts.empty() && parts.back() == part;
    if (!is_repeated) parts.push_back(std::move(part));
    if (is_last) return parts;
    begin = end + 1;
  }
}

bool is_link(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::is_symlink(path, unknown);
}

// The names in a folder, sorted.
std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, error);
  const std::filesystem::directory_iterator end;
  for (; !error && entry != end; entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Search {
 public:
  explicit Search(const std::string& pattern) : parts_(parts_of(pattern)) {}

  std::vector<std::string> run() {
    visit("", 0);
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return std::move(found_);
  }

 private:
  // `folder`: empty, or ends in '/'. Several "**" reach a folder in many ways, and by many
  // spellings if ".." stands between them; it is searched once.
  void visit(const std::string& folder, std::size_t part) {
    if (!visited_.emplace(std::filesystem::path(folder).lexically_normal().string(), part).second) {
      return;
    }
    const std::string& pattern = parts_[part];
    const bool is_last = part + 1 == parts_.size();
    if (pattern == kAnyFolders && !is_last) {
      visit(folder, part + 1);
      for (const std::string& name : names_in(folder)) {
        if (name.starts_with('.')) continue;
        if (is_folder(folder + name) && !is_link(folder + name)) visit(folder + name + "/", part);
      }
      return;
    }
    if (!is_pattern(pattern)) {
      take(folder + pattern, part);
      return;
    }
    for (const std::string& name : names_in(folder)) {
      if (::fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0) take(folder + name, part);
    }
  }

  void take(const std::string& path, std::size_t part) {
    if (part + 1 < parts_.size()) {
      if (path.empty() || is_folder(path)) visit(path + "/", part + 1);
    } else if (is_regular_file(path)) {
      found_.push_back(path);
    }
  }

  std::vector<std::string> parts_;
  std::set<std::pair<std::string, std::size_t>> visited_;  // folders, and parts of the pattern
  std::vector<std::string> found_;
};

}  // namespace

bool is_pattern(const std::string& text) {
  return text.find_first_of("*?[") != std::string::npos;
}

bool matches_pattern(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

std::vector<std::string> files_matching(const std::string& pattern) {
  if (is_regular_file(pattern)) return {pattern};
  return Search(pattern).run();
}

}  // namespace skinbake
