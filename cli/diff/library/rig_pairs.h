// The meshes and clips that two rigs have in common.

#pragma once

#include <string>
#include <vector>

#include "diff/frames/side.h"
#include "diff/options.h"
#include "skinbake/report.h"
#include "skinbake/tool/compare/library_pairs.h"

namespace skinbake::cli {

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
  // Values of --clip and --mesh that begin with '!' and match nothing of either rig.
  std::vector<std::string> unmatched_clips, unmatched_meshes;
};

// The values of `a` that `b` has too.
std::vector<std::string> in_both(std::vector<std::string> a, const std::vector<std::string>& b);

// Names of A with those of B: of --map, --clip-b and --mesh-b.
RenamedNames renamed_names(const DiffOptions& options);

// Loads both rigs and pairs the selected meshes and clips by name. What only one side has is added
// to `record`. A rig of which a pattern selects nothing has no pairs. Throws Error.
RigPairs pair_rigs(const DiffOptions& options, const FilePair& files, const RenamedNames& renamed,
                   LibraryRecord& record);

}  // namespace skinbake::cli
