#include "batch/files/possible_outputs.h"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "outputs/auxiliary_files.h"

namespace skinbake::cli {

namespace {

std::string plain(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().string();
}

// An output that is a link is written beside the file to which it points.
std::string target_of(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_symlink(path, unknown)) return plain(path);
  const std::filesystem::path target = std::filesystem::canonical(path, unknown);
  return unknown ? plain(path) : target.string();
}

// The path of the file to which a temporary file belongs, "a.pc2" of "a.pc2.tmp123"; empty: the
// file is not a temporary one.
std::string owner_of(const std::string& path) {
  const std::size_t at = path.rfind(".tmp");
  if (at == std::string::npos || at + 4 == path.size()) return "";
  const bool is_number = path.find_first_not_of("0123456789", at + 4) == std::string::npos;
  return is_number ? path.substr(0, at) : "";
}

}  // namespace

void PossibleOutputs::add_file(const std::string& path) {
  constexpr std::size_t kMostOfName = 200;  // of a temporary file
  const std::string name = std::filesystem::path(path).filename().string();
  files_.insert(path);
  files_.insert(path.substr(0, path.size() - name.size()) + name.substr(0, kMostOfName));
  const std::string folder = std::filesystem::path(path).parent_path().string();
  folders_.insert(folder.empty() ? "." : folder);
}

void PossibleOutputs::add(const std::string& output) {
  const std::string path = target_of(output);
  add_file(path);
  add_file(path + ".json");
  for (const std::string& beside : possible_auxiliary_files_of(path)) add_file(beside);
  reports_.insert(std::filesystem::path(path).replace_extension().string());
}

// "run.Body.walk.dqs.per_vertex.npy" stands beside the report "run.json".
bool PossibleOutputs::is_array_of_report(const std::string& path) const {
  constexpr std::string_view kArraysEnd = ".per_vertex.npy";
  if (!path.ends_with(kArraysEnd)) return false;
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1)) {
    if (reports_.contains(path.substr(0, dot))) return true;
  }
  return false;
}

bool PossibleOutputs::have(const std::string& path) const {
  const std::string target = target_of(path);
  return files_.contains(target) || is_array_of_report(target);
}

bool PossibleOutputs::have_temporary(const std::string& path) const {
  const std::string owner = owner_of(plain(path));
  return !owner.empty() && (files_.contains(owner) || is_array_of_report(owner));
}

}  // namespace skinbake::cli
