// Paths of outputs, and of the inputs that they must not replace.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "json/text.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// ---- Output paths: placeholders, reserved characters, conflicts.

struct OutputNames {
  std::string mesh, clip, method;  // ids
};

// Replaces {mesh}, {clip} and {method}. `what`: the kind of path, for messages. Throws Error
// (kUsage) for an unknown placeholder.
std::string expand(const std::string& pattern, const OutputNames& names,
                   const std::string& what = "output");

// Which two of the ids give the same file name, because reserved characters become '_': "'a/b' and
// 'a:b' both give the name 'a_b' for {clip}". Empty: none do, or no pattern has the placeholder.
std::string names_twice(const std::vector<std::string>& patterns, const std::string& placeholder,
                        const std::vector<std::string>& ids);

// Throws Error (kUsage, OUTPUT_IS_INPUT) if a path is `folder`, or a file of this bind cache.
void refuse_binds(const std::vector<std::string>& paths, const std::string& folder);

// Throws Error (kUsage) if two of the paths are the same file. `note`: the end of the message,
// for the path that is given twice.
void require_distinct(const std::vector<std::string>& paths,
                      const std::function<std::string(const std::string& path)>& note = {});

// The auxiliary files that a cache could have with any options; none if the path has the extension
// of no format.
std::vector<std::string> possible_auxiliary_files_of(const std::string& path);

// ---- The inputs of a run, which no output may replace.

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
