#include "rig/file_bones.h"

#include <algorithm>
#include <cmath>

#include "math/scalar.h"

namespace skinbake {

namespace {

bool is_finite(const Affine<double>& m) {
  const double* numbers = &m.x.x;
  return std::all_of(numbers, numbers + 12, [](double x) { return std::isfinite(x); });
}

bool are_equal(const Affine<double>& a, const Affine<double>& b) {
  return std::equal(&a.x.x, &a.x.x + 12, &b.x.x);
}

// The bind space of one rig from another's, where both have a joint. Equal matrices are not
// inverted: rigs of one bind space get the same bits.
Affine<double> other_from_mine(const Affine<double>& other, const Affine<double>& mine) {
  return are_equal(other, mine) ? kIdentity : inverse(other) * mine;
}

// [node] the first of the rig's joints there.
std::vector<std::optional<JointIndex>> first_joints(const Rig& rig) {
  std::vector<std::optional<JointIndex>> first(rig.skeleton->nodes.size());
  for (JointIndex j = static_cast<JointIndex>(rig.joints.size()); j-- > 0;) {
    first[rig.joints[j].node] = j;
  }
  return first;
}

std::vector<double> weights_in(const Rig& rig, const std::vector<double>& node_weights) {
  const std::vector<std::optional<JointIndex>> first = first_joints(rig);
  std::vector<double> weights;
  for (JointIndex j = 0; j < rig.joints.size(); ++j) {
    const NodeIndex node = rig.joints[j].node;
    weights.push_back(first[node] == j ? node_weights[node] : 0);
  }
  return weights;
}

}  // namespace

FileBones::FileBones(std::span<const Rig* const> rigs)
    : rigs_(rigs.begin(), rigs.end()), whole_(rigs_), shared_of_(rigs.size()), bones_(rigs.size()) {
  for (std::size_t r = 0; r < rigs_.size(); ++r) {
    const Rig& rig = *rigs_[r];
    if (!rig.skinned) continue;
    Shared& shared = shared_by(rig);
    shared_of_[r] = static_cast<std::size_t>(&shared - shared_.data());
    for (const Influence& i : rig.influences) shared.weights[rig.joints[i.joint].node] += i.weight;
    for (const Joint& joint : rig.joints) {
      std::vector<std::size_t>& users = shared.users[joint.node];
      if (users.empty() || users.back() != r) users.push_back(r);
    }
  }
  for (std::size_t r = 0; r < rigs_.size(); ++r) {
    if (!rigs_[r]->skinned) continue;
    const Shared& shared = shared_[shared_of_[r]];
    complete(r, shared);
    bones_[r].emplace(*whole_[r], weights_in(*whole_[r], shared.weights));
  }
}

FileBones::Shared& FileBones::shared_by(const Rig& rig) {
  const Skeleton* skeleton = rig.skeleton.get();
  const auto known = std::find_if(shared_.begin(), shared_.end(),
                                  [&](const Shared& s) { return s.skeleton == skeleton; });
  if (known != shared_.end()) return *known;
  const std::size_t nodes = skeleton->nodes.size();
  return shared_.emplace_back(
      Shared{skeleton, std::vector<double>(nodes), std::vector<std::vector<std::size_t>>(nodes)});
}

// From each of the joints on to the rigs that have it, and to theirs.
void FileBones::complete(std::size_t r, const Shared& shared) {
  Rig whole = *rigs_[r];
  const std::size_t own = whole.joints.size();
  std::vector<std::optional<JointIndex>> joint_on = first_joints(whole);
  std::vector<bool> taken(rigs_.size());
  taken[r] = true;
  for (std::size_t j = 0; j < whole.joints.size(); ++j) {
    const Joint mine = whole.joints[j];
    for (const std::size_t other : shared.users[mine.node]) {
      if (taken[other]) continue;
      const std::vector<Joint>& theirs = rigs_[other]->joints;
      const auto same = std::find_if(theirs.begin(), theirs.end(),
                                     [&](const Joint& t) { return t.node == mine.node; });
      const Affine<double> from_mine =
          other_from_mine(same->joint_from_model, mine.joint_from_model);
      if (!is_finite(from_mine)) continue;  // bound flat here; they may share another joint
      taken[other] = true;
      for (const Joint& joint : theirs) {
        if (joint_on[joint.node]) continue;
        joint_on[joint.node] = static_cast<JointIndex>(whole.joints.size());
        whole.joints.push_back({joint.node, joint.joint_from_model * from_mine});
      }
    }
  }
  if (whole.joints.size() == own) return;
  whole_[r] = &completed_.emplace_back(std::move(whole));
}

bool FileBones::moves_something(std::size_t r, JointIndex joint) const {
  return shared_[shared_of_[r]].weights[whole(r).joints[joint].node] > 0;
}

// The farthest vertex of any mesh beyond a leaf: one bone, however the file is cut into meshes.
double FileBones::reach(std::size_t r, JointIndex joint) const {
  const NodeIndex node = whole(r).joints[joint].node;
  double reach = 0;
  for (const std::size_t other : shared_[shared_of_[r]].users[node]) {
    const std::vector<Joint>& joints = rigs_[other]->joints;
    for (JointIndex j = 0; j < joints.size(); ++j) {
      if (joints[j].node == node) reach = std::max(reach, bones_[other]->leaf_reach(j));
    }
  }
  return reach;
}

std::optional<FileBone> FileBones::bone(std::size_t r, JointIndex joint) const {
  const Bones& bones = *bones_[r];
  const std::optional<BoneTip> tip =
      bones.is_leaf(joint) ? bones.leaf_tip(joint, reach(r, joint)) : bones.tip(joint);
  if (!tip) return {};
  const Vec3<double> along = tip->position - bones.position(joint);
  FileBone bone;
  bone.start = bones.position(joint);
  bone.length = norm(along);
  bone.axis = (1 / bone.length) * along;
  if (tip->child) bone.child = whole(r).joints[*tip->child];
  if (const auto parent = bones.parent(joint)) bone.parent = whole(r).joints[*parent];
  return bone;
}

}  // namespace skinbake
