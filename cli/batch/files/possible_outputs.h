// The files that tasks may write: their outputs, and the files beside them.

#pragma once

#include <string>
#include <unordered_set>

namespace skinbake::cli {

class PossibleOutputs {
 public:
  // Adds an output or report, with its sidecar, the files that its format may write beside it, and
  // the arrays beside a report.
  void add(const std::string& output);

  bool have(const std::string& path) const;
  // Whether a file is a temporary one of these files, which a killed run has left.
  bool have_temporary(const std::string& path) const;

  // The folders of all files.
  const std::unordered_set<std::string>& folders() const { return folders_; }

 private:
  void add_file(const std::string& path);
  bool is_array_of_report(const std::string& path) const;

  std::unordered_set<std::string> files_;    // without links, and as temporary files shorten them
  std::unordered_set<std::string> reports_;  // without extension
  std::unordered_set<std::string> folders_;
};

}  // namespace skinbake::cli
