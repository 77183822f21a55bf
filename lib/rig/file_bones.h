// Bones as all meshes of a file see them. A file may give the meshes of one body skins of their
// own, with those joints alone that move them: what is decided about a bone (where it ends, who is
// above it) must be the same for each, or vertices that two meshes share would part.

#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "rig/bones.h"

namespace skinbake {

// A joint's bone in the bind pose of one rig. The joints at its ends may be none of the rig's own:
// they then are those of another mesh, brought into its bind pose.
struct FileBone {
  Vec3<double> start{0, 0, 0}, axis{0, 1, 0};
  double length = 0;
  std::optional<Joint> child;   // at the tip
  std::optional<Joint> parent;  // the nearest above that moves something, in any mesh
};

class FileBones {
 public:
  // All rigs of a file; they must outlive it. Those without skins do not count, and only rigs of
  // one skeleton know of each other.
  explicit FileBones(std::span<const Rig* const> rigs);

  // rigs[r] with the joints of all meshes that share one with it. Its own come first; the others
  // have no weight in it.
  const Rig& whole(std::size_t r) const { return *whole_[r]; }

  // Whether any mesh has weight on the node of a joint of whole(r).
  bool moves_something(std::size_t r, JointIndex joint) const;

  // Of a joint of whole(r); none: a bone without length.
  std::optional<FileBone> bone(std::size_t r, JointIndex joint) const;

 private:
  // What rigs of one skeleton have in common. Shapes [node].
  struct Shared {
    const Skeleton* skeleton = nullptr;
    std::vector<double> weights;                  // sums over all vertices of all meshes
    std::vector<std::vector<std::size_t>> users;  // rigs with a joint there, ascending
  };

  Shared& shared_by(const Rig& rig);
  void complete(std::size_t r, const Shared& shared);
  double reach(std::size_t r, JointIndex joint) const;

  std::vector<const Rig*> rigs_, whole_;  // [rig]
  std::deque<Rig> completed_;             // those that `whole_` had to make
  std::vector<Shared> shared_;
  std::vector<std::size_t> shared_of_;       // [rig]
  std::vector<std::optional<Bones>> bones_;  // [rig] of whole_; none without a skin
};

}  // namespace skinbake
