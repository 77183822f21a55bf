// Build files for Ninja and Make, with a rule for each task.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "batch/open_batch.h"

namespace skinbake::cli {

// What the rules of a file have in common. Paths are relative to the folder of the manifest.
struct BuildFile {
  std::string path;                     // of the file itself
  std::string program;                  // the path of skinbake
  std::vector<std::string> regenerate;  // the words that write the file again; empty: none
  std::vector<std::string> inputs;      // of these words: the manifest and the rigs
};

// Throw Error (kOutput, DEPFILE_NAME) for names that a rule cannot contain.
std::string ninja_text(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                       const BuildFile& file);
std::string make_text(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                      const BuildFile& file);

}  // namespace skinbake::cli
