#include "build_text.h"

#include <string_view>

#include "bake/kernels/targets.h"
#include "batch/state/batch_state.h"

namespace skinbake::cli {

namespace {

std::string line(const char* name, std::string_view value) {
  return std::string(name) + ": " + std::string(value) + "\n";
}

// "AVX3 (in use), AVX2": the instruction sets of this build that the processor supports.
std::string instruction_sets() {
  std::string text;
  for (const std::string& name : supported_targets()) {
    text += text.empty() ? name + " (in use)" : ", " + name;
  }
  return text;
}

}  // namespace

std::string build_text() {
  const BuildFacts facts = build_facts();
  const std::string_view git = facts.git;
  std::string text = line("build", build_id());
  text += line("git", git.empty() ? "not built from a repository" : git);
  text += line("compiler", facts.compiler);
  text += line("instruction sets", instruction_sets());
  text += line("libraries", facts.libraries);
  text.pop_back();  // CLI11 ends the text
  return text;
}

}  // namespace skinbake::cli
