#include "outputs/input_files.h"

#include <algorithm>

#include "outputs/output_paths.h"
#include "skinbake/error.h"

namespace skinbake::cli {

void InputFiles::add(const std::vector<std::string>& paths) {
  paths_.insert(paths_.end(), paths.begin(), paths.end());
}

void InputFiles::add(const Asset& asset) {
  add(asset.files);
  add(asset.unread_files);
}

void InputFiles::add_cache(const std::string& path) {
  for (const char* suffix : {"", ".json", ".glb"}) add(path + suffix);
}

void InputFiles::refuse(const std::vector<std::string>& outputs) const {
  std::vector<std::string> inputs;
  for (const std::string& path : paths_) inputs.push_back(canonical(path));
  for (const std::string& output : outputs) {
    if (std::find(inputs.begin(), inputs.end(), canonical(output)) == inputs.end()) continue;
    throw Error(ErrorKind::kUsage, "OUTPUT_IS_INPUT",
                "output '" + output + "' would replace an input file; choose another name");
  }
}

}  // namespace skinbake::cli
