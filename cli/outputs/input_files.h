// The inputs of a run, which no output may replace.

#pragma once

#include <string>
#include <vector>

#include "base/output_file.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// Every file that a run reads, and every file that an input names, such as a texture that is not
// read.
class InputFiles {
 public:
  void add(const std::string& path, const std::string& role) { inputs_.push_back({path, role}); }
  void add(const std::vector<std::string>& paths, const std::string& role);
  void add(const Asset& asset);
  void add_cache(const std::string& path);  // and the files beside it

  // Throws Error (kUsage, OUTPUT_IS_INPUT) if an output would replace one of the files.
  void refuse(const std::vector<std::string>& outputs) const { require_no_input(outputs, inputs_); }

 private:
  std::vector<NamedInput> inputs_;
};

}  // namespace skinbake::cli
