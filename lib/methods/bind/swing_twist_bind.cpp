#include "methods/bind/swing_twist_bind.h"

#include <algorithm>
#include <string>

#include "math/rotation_parts.h"
#include "math/scalar.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// A malicious file can attach every vertex to a chain of thousands of joints.
constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 27;

constexpr std::uint32_t kNumbersPerStep = 2;  // weight and step

[[noreturn]] void fail_too_long(const Rig& rig, const JointTree& tree, VertexIndex vertex,
                                JointIndex joint) {
  throw Error(
      "JOINT_CHAINS_TOO_LONG",
      "mesh '" + rig.id +
          "': its vertices are moved by chains of too many joints for method 'jst', vertex " +
          std::to_string(vertex) + " by joint '" + joint_id(rig, joint) + "' below " +
          std::to_string(tree.depths[joint]) + " others");
}

// Counts the entries of all programs: for each vertex, its joints and their ancestors, down from
// the joint in which the branches meet (Programs::add_root).
class EntryCounter {
 public:
  EntryCounter(const Rig& rig, const JointTree& tree)
      : rig_(rig), tree_(tree), of_joint_(rig.joints.size()) {}

  // Throws Error (kInput, JOINT_CHAINS_TOO_LONG).
  std::uint64_t count() {
    for (VertexIndex v = 0; v < rig_.mesh->vertex_count(); ++v) {
      roots_.clear();
      for (const Influence& i : rig_.influences_of(v)) {
        steps_ += static_cast<std::uint64_t>(tree_.depths[i.joint]) + 1;
        if (steps_ > kMostEntries) fail_too_long(rig_, tree_, v, i.joint);
        touch(v, i.joint);
        of_joint_[i.joint].influences = v;
      }
      for (const JointIndex root : roots_) leave_out_below(v, root);
    }
    return entries_;
  }

 private:
  static constexpr VertexIndex kNone = ~VertexIndex{0};
  // The last vertices that a joint moves, itself or by its descendants, and that it influences; its
  // children for the first of them.
  struct Last {
    VertexIndex touches = kNone, influences = kNone;
    std::uint32_t children = 0;
    JointIndex child = 0;
  };

  void touch(VertexIndex v, JointIndex joint) {
    int child = -1;
    for (int j = static_cast<int>(joint); j >= 0; child = j, j = tree_.parents[j]) {
      Last& last = of_joint_[static_cast<std::size_t>(j)];
      const bool is_new = last.touches != v;
      if (is_new) {
        last.touches = v, last.children = 0;
        ++entries_;
        if (tree_.parents[j] < 0) roots_.push_back(static_cast<JointIndex>(j));
      }
      if (child >= 0) ++last.children, last.child = static_cast<JointIndex>(child);
      if (!is_new) return;
    }
  }

  void leave_out_below(VertexIndex v, JointIndex root) {
    for (const Last* last = &of_joint_[root]; last->influences != v && last->children == 1;
         last = &of_joint_[last->child]) {
      --entries_;
    }
  }

  const Rig& rig_;
  const JointTree& tree_;
  std::vector<Last> of_joint_;
  std::vector<JointIndex> roots_;  // of the vertex
  std::uint64_t entries_ = 0, steps_ = 0;
};

// Appends the programs of vertices, one after another.
class Programs {
 public:
  explicit Programs(const BindInput& input) : input_(input), of_joint_(input.tree.parents.size()) {
    const std::uint64_t entries = EntryCounter(input.rig, input.tree).count();
    bind_data_.numbers_per_entry = kNumbersPerStep;
    bind_data_.first_entry = {0};
    bind_data_.indices.reserve(entries);
    bind_data_.numbers.reserve(entries * kNumbersPerStep);
  }

  void add(std::span<const Influence> influences) {
    touch(influences);
    for (const JointIndex j : touched_) {
      if (input_.tree.parents[j] < 0) add_root(j);
    }
    for (const JointIndex j : touched_) of_joint_[j] = {};
    touched_.clear();
    bind_data_.first_entry.push_back(static_cast<std::uint32_t>(bind_data_.indices.size()));
  }

  BindData take() { return std::move(bind_data_); }

 private:
  // A joint of the vertex's subtree: an influence, or an ancestor of one.
  struct Touched {
    double weight = 0;          // sum over its subtree
    bool is_influence = false;  // of the vertex
    int need = 0;               // stack depth that its subtree needs
    std::vector<JointIndex> children;
  };
  // A joint on the current path: its next child, and the steps of its first and of its own entry.
  struct Visit {
    JointIndex joint;
    std::size_t next = 0;
    int first_step, own_step;
  };

  void touch(std::span<const Influence> influences) {
    const std::vector<int>& parents = input_.tree.parents;
    for (const Influence& i : influences) {
      of_joint_[i.joint].is_influence = true;
      int child = -1;
      for (int j = static_cast<int>(i.joint); j >= 0; child = j, j = parents[j]) {
        Touched& t = of_joint_[j];
        if (t.weight == 0) touched_.push_back(static_cast<JointIndex>(j));
        const bool new_child = child >= 0 && std::find(t.children.begin(), t.children.end(),
                                                       child) == t.children.end();
        if (new_child) t.children.push_back(static_cast<JointIndex>(child));
        t.weight += i.weight;
      }
    }
    // Deepest first: the needs of children are known before the needs of their parents.
    std::sort(touched_.begin(), touched_.end(), [&](JointIndex a, JointIndex b) {
      const int da = input_.tree.depths[a], db = input_.tree.depths[b];
      return da != db ? da > db : a < b;
    });
    for (const JointIndex j : touched_) {
      Touched& t = of_joint_[j];
      std::sort(t.children.begin(), t.children.end(), [&](JointIndex a, JointIndex b) {
        const int na = of_joint_[a].need, nb = of_joint_[b].need;
        return na != nb ? na > nb : a < b;
      });
      for (std::size_t c = 0; c < t.children.size(); ++c) {
        t.need = std::max(t.need, of_joint_[t.children[c]].need + (c > 0 ? 1 : 0));
      }
    }
  }

  // Joints whose subtree has all of the root's weight move together with the root.
  void add_root(JointIndex root) {
    JointIndex base = root;
    while (!of_joint_[base].is_influence && of_joint_[base].children.size() == 1) {
      base = of_joint_[base].children[0];
    }
    const double whole = of_joint_[root].weight;
    add_children(base, whole);
    add_entry(base, whole, kStepRoot);
  }

  void add_children(JointIndex base, double whole) {
    std::vector<Visit>& path = path_;
    const std::vector<JointIndex>& branches = of_joint_[base].children;
    for (std::size_t b = 0; b < branches.size(); ++b) {
      path.push_back({branches[b], 0, b > 0 ? kStepPush : 0, b > 0 ? kStepMerge : 0});
      while (!path.empty()) {
        Visit& at = path.back();
        const Touched& t = of_joint_[at.joint];
        if (at.next < t.children.size()) {
          const bool first = at.next == 0;
          const JointIndex child = t.children[at.next++];
          path.push_back({child, 0, first ? at.first_step : kStepPush, first ? 0 : kStepMerge});
          continue;
        }
        const int step = (t.children.empty() ? at.first_step : 0) | at.own_step;
        add_entry(at.joint, t.weight / whole, step);
        path.pop_back();
      }
    }
  }

  void add_entry(JointIndex joint, double weight, int step) {
    bind_data_.indices.push_back(joint);
    bind_data_.numbers.insert(bind_data_.numbers.end(), {weight, static_cast<double>(step)});
  }

  const BindInput& input_;
  std::vector<Touched> of_joint_;
  std::vector<JointIndex> touched_;
  std::vector<Visit> path_;
  BindData bind_data_;
};

void put_axis(const Vec3<double>& v, double* to) {
  to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

// A joint's motion relative to its parent: its rotation, its stretch, and where it moves the head.
struct RelativeMotion {
  Quat<double> rotation;
  Affine<double> stretch;
  Vec3<double> head;
};

Vec3<double> rotated(const Quat<double>& q, const Vec3<double>& v) {
  return rotate(to_affine(q, {0, 0, 0}), v);
}

RelativeMotion rigid_motion(const Rigid<double>& c, const Rigid<double>& above,
                            const Vec3<double>& head) {
  const Quat<double> back = conjugate(above.rotation);
  const Quat<double> relative = back * c.rotation;
  return {relative, kIdentity,
          rotated(relative, head) + rotated(back, c.translation - above.translation)};
}

RelativeMotion stretched_motion(const Affine<double>& joint, const Affine<double>& above,
                                const Vec3<double>& head) {
  const Affine<double> motion = inverse(above) * joint;
  const PolarFactors polar =
      polar_factors(motion);  // a joint without size keeps all its linear map
  return {to_quat(polar.rotation), stretch_of(polar.rotation, motion), motion * head};
}

}  // namespace

BindData swing_twist_programs(const BindInput& input) {
  Programs programs(input);
  for (VertexIndex v = 0; v < input.rig.mesh->vertex_count(); ++v) {
    programs.add(input.rig.influences_of(v));
  }
  return programs.take();
}

void pose_swing_twist(const PosedJoints& posed, JointIndex joint, std::span<double> out) {
  const Rigid<double>& c = posed.posed_from_scaled[joint];
  using Offset = SwingTwistNumbers;
  out[Offset::kTurn] = c.rotation.w;
  put_axis(vector_part(c.rotation), &out[Offset::kTurn + 1]);
  put_axis(c.translation, &out[Offset::kMove]);
  const Vec3<double> head = posed.common_scale * posed.tree.heads[joint];
  put_axis(head, &out[Offset::kHead]);
  out[Offset::kScaledFirst] = posed.scaled_first[joint];
  const int parent = posed.tree.parents[joint];
  if (parent < 0) return;
  const auto above = static_cast<std::size_t>(parent);
  const RelativeMotion motion =
      posed.stretched ? stretched_motion(posed.chained[joint], posed.chained[above], head)
                      : rigid_motion(c, posed.posed_from_scaled[above], head);
  const Vec3<double> axis = posed.tree.directions[joint];
  const double half = posed.twists[joint] / 2;
  const SinCos<double> s = sin_cos(half);
  const Quat<double> untwist{s.cos, -s.sin * axis.x, -s.sin * axis.y, -s.sin * axis.z};
  put_axis(motion.head - head, &out[Offset::kShift]);
  put_axis(axis, &out[Offset::kAxis]);
  put_axis(log(motion.rotation * untwist), &out[Offset::kSwing]);
  out[Offset::kTwist] = half;
  put_axis(motion.stretch.x, &out[Offset::kStretch]);
  put_axis(motion.stretch.y, &out[Offset::kStretch + 3]);
  put_axis(motion.stretch.z, &out[Offset::kStretch + 6]);
}

}  // namespace skinbake
