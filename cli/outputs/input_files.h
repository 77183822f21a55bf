// The inputs of a run, which no output may replace.

#pragma once

#include <string>
#include <vector>

#include "skinbake/gltf.h"
#include "skinbake/tool/parsed_report.h"

namespace skinbake::cli {

// Every file that a run reads, and every file that an input names, such as a texture that is not
// read.
class InputFiles {
 public:
  void add(const std::string& path) { paths_.push_back(path); }
  void add(const std::vector<std::string>& paths);
  void add(const Asset& asset);
  void add_cache(const std::string& path);  // and the files beside it

  // Throws Error (kUsage, OUTPUT_IS_INPUT) if an output would replace one of the files.
  void refuse(const std::vector<std::string>& outputs) const;

 private:
  std::vector<std::string> paths_;
};

}  // namespace skinbake::cli
