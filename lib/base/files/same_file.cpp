// Outputs that would replace an input or each other.

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/files/output_path.h"
#include "skinbake/error.h"
#include "skinbake/tool/files/output_file.h"

namespace skinbake {

namespace {

// The path with its folders' links resolved, and its own, even if that file does not exist yet.
std::string canonical(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(resolved_links(path), failed);
  const auto resolved = std::filesystem::weakly_canonical(absolute, failed);
  return failed ? absolute.lexically_normal().string() : resolved.string();
}

bool has_path(const InputFile& input, const std::string& file) {
  const std::filesystem::path path(file);
  return input.path == (path.is_absolute() ? path.filename().string() : file);
}

}  // namespace

std::vector<std::string> file_keys(const std::string& path) {
  std::vector<std::string> keys{canonical(path)};
  struct stat file {};
  if (::stat(path.c_str(), &file) == 0) {  // hard links have the same number
    keys.push_back(std::to_string(file.st_dev) + ":" + std::to_string(file.st_ino));
  }
  return keys;
}

std::vector<NamedInput> named_inputs(const std::vector<std::string>& files,
                                     const std::vector<InputFile>& inputs) {
  std::vector<NamedInput> named;
  for (const std::string& file : files) {
    const auto input = std::find_if(inputs.begin(), inputs.end(),
                                    [&](const InputFile& each) { return has_path(each, file); });
    named.push_back({file, input == inputs.end() ? "" : input->role});
  }
  return named;
}

void require_no_input(const std::vector<std::string>& outputs,
                      const std::vector<NamedInput>& inputs) {
  std::map<std::string, const NamedInput*> input_of;
  for (const NamedInput& input : inputs) input_of.emplace(canonical(input.path), &input);
  for (const std::string& output : outputs) {
    const auto found = input_of.find(canonical(output));
    if (found == input_of.end()) continue;
    const NamedInput& input = *found->second;
    throw Error(ErrorKind::kUsage, "OUTPUT_IS_INPUT",
                "output '" + output + "' would replace an input file, " +
                    (input.role.empty() ? "" : "the " + input.role + " ") + "'" + input.path +
                    "'; choose another name");
  }
}

}  // namespace skinbake
