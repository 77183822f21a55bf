// The meshes and clips that two rigs have in common.

#pragma once

#include <string>
#include <vector>

#include "compare/library_pairs.h"
#include "diff/frames/side.h"
#include "diff/options.h"
#include "report/report.h"

namespace skinbake::cli {

// Values of --clip and --mesh that match nothing: those that choose, and those that begin with '!'.
struct UnmatchedValues {
  std::vector<std::string> clips, meshes, omitted_clips, omitted_meshes;
};

struct RigPairs {
  std::shared_ptr<Asset> a, b;
  struct Meshes {
    const Rig *a, *b;
  };
  struct Clips {
    const Clip *a, *b;  // null: the rest pose
  };
  std::vector<Meshes> meshes;
  std::vector<Clips> clips;
  UnmatchedValues unmatched;  // of both rigs
};

// The values of `a` that `b` has too.
std::vector<std::string> in_both(std::vector<std::string> a, const std::vector<std::string>& b);

// Throws UsageError if the values of an option, "--clip", do not pair with those of the same option
// of B, or are patterns. `b`: empty if the option is not given.
void require_paired_names(const std::string& option, const std::vector<std::string>& a,
                          const std::vector<std::string>& b);

// Names of A with those of B: of --map, --clip-b and --mesh-b.
RenamedNames renamed_names(const DiffOptions& options);

// Loads both rigs and pairs the selected meshes and clips by name. What only one side has is added
// to `record`. A value that one rig does not have selects nothing of it: the files of a library
// have different clips. Throws Error.
RigPairs pair_rigs(const DiffOptions& options, const FilePair& files, const RenamedNames& renamed,
                   LibraryRecord& record);

}  // namespace skinbake::cli
