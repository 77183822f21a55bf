// A task as a rule of a build file.

#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "batch/jobs/batch_plan.h"

namespace skinbake::cli {

enum class BuildTool { kNinja, kMake };

struct BuildRule {
  std::string name;
  std::vector<std::string> outputs, inputs, words;
  std::string depfile;         // that the tool reads; empty: none
  bool keeps_depfile = false;  // the manifest asks for it
};

// An input that is a folder, with the folders in it; none: it is a file.
std::vector<std::string> folders_of_input(const std::string& input);

// Makes the rules of the tasks of a plan.
class BuildRules {
 public:
  BuildRules(const BatchPlan& plan, BuildTool tool) : plan_(plan), tool_(tool) {}

  // Throws Error (kOutput, DEPFILE_NAME) if the depfile of the task cannot name its files.
  BuildRule of(const BatchTask& task);

 private:
  std::vector<std::string> known_inputs(const BatchTask& task, const BuildRule& rule);
  void require_names(const BuildRule& rule, const std::vector<std::string>& inputs) const;
  bool is_file(const std::string& path);

  const BatchPlan& plan_;
  BuildTool tool_;
  std::unordered_map<std::string, bool> files_;  // the tasks of a rig have values in common
};

}  // namespace skinbake::cli
