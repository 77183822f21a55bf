// Pairs of rigs of two libraries, the caches that are compared for them, and the causes of their
// differences.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "compare/library_pairs.h"
#include "diff/options.h"
#include "diff/side.h"
#include "report/report.h"

namespace skinbake::cli {

// ---- The meshes and clips that two rigs have in common.

// Values of --clip and --mesh that match nothing: the values that select, and the values that begin
// with '!'.
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
  // Of elements that could not be read and do not have a partner.
  std::vector<std::shared_ptr<const Error>> faults = {};
};

// The values of `a` that `b` has too.
std::vector<std::string> in_both(std::vector<std::string> a, const std::vector<std::string>& b);

// Throws UsageError if the values of an option, "--clip", do not pair with B's values of the same
// option, or are patterns. `b`: empty if the option is not given.
void require_paired_names(const std::string& option, const std::vector<std::string>& a,
                          const std::vector<std::string>& b);

// Pairs of A's and B's names, from --map, --clip-b and --mesh-b.
RenamedNames renamed_names(const DiffOptions& options);

// Loads both rigs and pairs the selected meshes and clips by name. What only one side has is added
// to `record`. A value that one rig does not have selects nothing of it: the files of a library
// have different clips. Throws Error.
RigPairs pair_rigs(const DiffOptions& options, const FilePair& files, const RenamedNames& renamed,
                   LibraryRecord& record);

// ---- Which caches of a library --clip and --mesh select. The sidecar of a cache names its clip
// and mesh.

class CacheChoice {
 public:
  // The names of A, or of B if only B has a sidecar. Throws Error (kNotComparable) if an option
  // selects by a name that neither side has.
  CacheChoice(const DiffOptions& options, const DiffSide& a, const DiffSide& b);

  // A cache of several clips is selected if one of them is.
  bool takes_clip() const;
  bool takes_mesh(const std::string& id) const;

  const std::vector<std::string>& clips() const { return clips_; }
  const std::vector<std::string>& meshes() const { return meshes_; }
  UnmatchedValues unmatched() const;

 private:
  std::vector<std::string> clips_, meshes_;             // ids; empty: unknown
  std::vector<std::string> clip_values_, mesh_values_;  // of the options
};

// ---- Why the frames of two rigs differ: the differences of their data.

// The id of a mesh of a library, "knight/Body". The libraries may be two files, which have no name.
std::string id_in(const std::string& file, const std::string& mesh);

// Compares the data of two rigs if the frames of a mesh differ or cannot be compared, or if its
// triangles differ, and adds the differences to the report. `other_triangles`: ids of meshes.
void add_causes(const FilePair& files, const RigPairs& pairs,
                const std::set<std::string>& other_triangles, Report& report);

// Warns of pairs of clips whose channels differ, if no frame of their meshes does.
void add_other_channels(const FilePair& files, const RigPairs& pairs, Report& report);

}  // namespace skinbake::cli
