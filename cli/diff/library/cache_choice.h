// Which caches of a library --clip and --mesh select. The sidecar of a cache names its clip and
// mesh.

#pragma once

#include <string>
#include <vector>

#include "diff/frames/side.h"
#include "diff/library/rig_pairs.h"
#include "diff/options.h"

namespace skinbake::cli {

class CacheChoice {
 public:
  // The names of A, or those of B if only B has a sidecar. Throws Error (kNotComparable) if an
  // option selects by a name that neither side has.
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

}  // namespace skinbake::cli
