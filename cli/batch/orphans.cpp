#include "batch/orphans.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <vector>

namespace skinbake::cli {

namespace {

std::string folder_of_output(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// The path of the output to which a temporary file belongs, "a.pc2" of "a.pc2.tmp123"; empty: the
// file is not a temporary one.
std::string output_of(const std::string& path) {
  const std::size_t at = path.rfind(".tmp");
  if (at == std::string::npos || at + 4 == path.size()) return "";
  const bool is_number = path.find_first_not_of("0123456789", at + 4) == std::string::npos;
  return is_number ? path.substr(0, at) : "";
}

std::vector<std::string> temporary_files_in(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  const std::filesystem::directory_iterator end;
  for (; !error && entry != end; entry.increment(error)) {
    const std::string path = entry->path().lexically_normal().string();
    if (!output_of(path).empty()) found.push_back(path);
  }
  return found;
}

}  // namespace

void remove_orphans(const BatchPlan& plan, std::span<const std::uint64_t> tasks) {
  std::set<std::string> folders;
  std::vector<std::string> orphans;
  for (const std::uint64_t t : tasks) {
    for (const std::string& output : plan.outputs(plan.tasks()[t])) {
      const std::string folder = folder_of_output(output);
      if (!folders.insert(folder).second) continue;
      const std::vector<std::string> found = temporary_files_in(folder);
      orphans.insert(orphans.end(), found.begin(), found.end());
    }
  }
  if (orphans.empty()) return;
  for (const std::uint64_t t : tasks) {
    for (const std::string& output : plan.outputs(plan.tasks()[t])) {
      const std::string path = std::filesystem::path(output).lexically_normal().string();
      for (const std::string& orphan : orphans) {
        const std::string of = output_of(orphan);
        std::error_code ignored;  // it does no harm
        const bool is_ours = of == path || of == path + ".json";
        if (is_ours) std::filesystem::remove(orphan, ignored);
      }
    }
  }
}

}  // namespace skinbake::cli
