// Output paths with {mesh}, {clip} and {method}.

#pragma once

#include <string>
#include <vector>

namespace skinbake::cli {

struct OutputNames {
  std::string mesh, clip, method;  // ids
};

// An id as part of a file name: `/ \ : * ? " < > |` and control characters become '_', and so does
// an id that is empty, "." or ".."; cut to 200 bytes, never inside a UTF-8 character.
std::string file_name_of(const std::string& id);

// Throws Error (kUsage) at an unknown {placeholder}. `what`: the pattern is of an "output" or a
// "reference".
std::string expand(const std::string& pattern, const OutputNames& names,
                   const std::string& what = "output");

// A path as reports show it, which are the same wherever the folders are: of an absolute one, its
// last part.
std::string shown(const std::string& path);

// Throws Error (kUsage) if two of the paths are one file: the second would replace the first.
// `remedy`: beside other names.
void require_distinct(const std::vector<std::string>& paths, const std::string& remedy = "");

// Throws Error (kUsage) if an output would replace an input.
void require_no_input(const std::vector<std::string>& outputs,
                      const std::vector<std::string>& inputs);

}  // namespace skinbake::cli
