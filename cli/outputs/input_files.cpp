#include "outputs/input_files.h"

#include "arguments/command_files.h"

namespace skinbake::cli {

InputFiles::InputFiles() {
  add(command_files(), "file of options");
}

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
  add(path + ".json", "sidecar");
  add(path + ".glb", "mesh of the texture");
}

}  // namespace skinbake::cli
