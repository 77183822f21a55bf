// Outputs that would replace an input or each other.

#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <unordered_map>

#include "base/files/output_file.h"
#include "base/files/output_path.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// The path with its folders' links resolved, and its own, even if that file does not exist yet.
std::string canonical(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(resolved_links(path), failed);
  const auto resolved = std::filesystem::weakly_canonical(absolute, failed);
  return failed ? absolute.lexically_normal().string() : resolved.string();
}

std::string number_of(const struct stat& file) {
  return std::to_string(file.st_dev) + ":" + std::to_string(file.st_ino);
}

// The keys of the name that an output would replace: its path, and its folder's number with its own
// name, which are the same below each mount of the folder.
std::vector<std::string> name_keys(const std::string& path) {
  const std::filesystem::path name(canonical(path));
  std::vector<std::string> keys{name.string()};
  struct stat folder {};
  if (::stat(name.parent_path().c_str(), &folder) == 0) {
    keys.push_back(number_of(folder) + "/" + name.filename().string());
  }
  return keys;
}

// The path that a report has of a file.
std::string reported_path(const std::string& file) {
  const std::filesystem::path path(file);
  return path.is_absolute() ? path.filename().string() : file;
}

}  // namespace

std::vector<std::string> file_keys(const std::string& path) {
  std::vector<std::string> keys = name_keys(path);
  struct stat file {};
  if (::stat(path.c_str(), &file) == 0) keys.push_back(number_of(file));  // that of hard links too
  return keys;
}

std::vector<NamedInput> named_inputs(const std::vector<std::string>& files,
                                     const std::vector<InputFile>& inputs) {
  std::unordered_map<std::string, std::string> roles;  // by reported path
  for (const InputFile& input : inputs) roles.emplace(input.path, input.role);
  std::vector<NamedInput> named;
  for (const std::string& file : files) {
    const auto role = roles.find(reported_path(file));
    named.push_back({file, role == roles.end() ? "" : role->second});
  }
  return named;
}

void require_no_input(const std::vector<std::string>& outputs,
                      const std::vector<NamedInput>& inputs) {
  std::map<std::string, const NamedInput*> input_of;
  for (const NamedInput& input : inputs) {
    for (const std::string& key : name_keys(input.path)) input_of.emplace(key, &input);
  }
  for (const std::string& output : outputs) {
    for (const std::string& key : name_keys(output)) {
      const auto found = input_of.find(key);
      if (found == input_of.end()) continue;
      const NamedInput& input = *found->second;
      throw Error(ErrorKind::kUsage, "OUTPUT_IS_INPUT",
                  "output '" + output + "' would replace an input file, " +
                      (input.role.empty() ? "" : "the " + input.role + " ") + "'" + input.path +
                      "'; choose another name");
    }
  }
}

}  // namespace skinbake
