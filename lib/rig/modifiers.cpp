#include "skinbake/modifiers.h"

#include <algorithm>
#include <cmath>

#include "base/issue.h"
#include "rig/engine_weights.h"
#include "rig/file_bones.h"
#include "rig/influences.h"
#include "rig/joint_tree.h"
#include "rig/limbs.h"
#include "rig/twist.h"
#include "rig/validate.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// A weight that moved by less was only rounded.
constexpr double kRounding = 1e-12;

int levels_of(int bits) {
  return (1 << bits) - 1;
}

// Two lists of one vertex, by joint: the part of the vertex that changed hands.
double weight_moved(std::span<const Influence> before, std::span<const Influence> after) {
  constexpr auto by_joint = [](const Influence& a, const Influence& b) {
    return a.joint < b.joint;
  };
  std::vector<Influence> old(before.begin(), before.end()), now(after.begin(), after.end());
  std::sort(old.begin(), old.end(), by_joint);
  std::sort(now.begin(), now.end(), by_joint);
  double lost = 0;
  auto n = now.begin();
  for (const Influence& o : old) {
    while (n != now.end() && n->joint < o.joint) ++n;
    const double left = n != now.end() && n->joint == o.joint ? n->weight : 0;
    lost += std::max(0.0, o.weight - left);
  }
  return lost;
}

bool are_equal(std::span<const Influence> a, std::span<const Influence> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Influence& x, const Influence& y) {
                      return x.joint == y.joint && x.weight == y.weight;
                    });
}

ModifierRecord record_of(const Modifier& modifier, const Rig& before, const Rig& after) {
  ModifierRecord record;
  record.modifier = canonical(modifier);
  for (VertexIndex v = 0; v < before.mesh->vertex_count(); ++v) {
    if (are_equal(before.influences_of(v), after.influences_of(v))) continue;
    const double moved = weight_moved(before.influences_of(v), after.influences_of(v));
    if (!(moved > kRounding)) continue;
    ++record.vertices_touched;
    if (moved > record.largest_weight_moved) {
      record.largest_weight_moved = moved;
      record.vertex = v;
    }
  }
  for (std::size_t j = before.joints.size(); j < after.joints.size(); ++j) {
    record.joints_added.push_back(joint_id(after, static_cast<JointIndex>(j)));
  }
  return record;
}

template <class Change>
Rig with_influences(const Rig& rig, const Change& change) {
  Rig changed = rig;
  changed.influences.clear();
  std::vector<Influence> mine;
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    mine.assign(rig.influences_of(v).begin(), rig.influences_of(v).end());
    change(mine);
    changed.influences.insert(changed.influences.end(), mine.begin(), mine.end());
    changed.first_influence[v + 1] = static_cast<std::uint32_t>(changed.influences.size());
  }
  return changed;
}

Rig with_engine_weights(const Rig& rig, const Modifier& modifier) {
  return with_influences(rig, [&](std::vector<Influence>& mine) {
    if (const auto* limit = std::get_if<LimitInfluences>(&modifier)) {
      keep_largest(static_cast<std::size_t>(limit->count), mine);
    } else if (const auto* weights = std::get_if<QuantizeWeights>(&modifier)) {
      quantize_weights(levels_of(weights->bits), mine);
    } else if (const auto* profile = std::get_if<EngineProfile>(&modifier)) {
      keep_largest(static_cast<std::size_t>(profile->count), mine);
      if (profile->bits > 0) quantize_weights(levels_of(profile->bits), mine);
    }
  });
}

// A joint of the file by its name, if one alone has it, or by "#<node>".
std::optional<JointIndex> joint_named(const Rig& rig, const std::string& name) {
  std::optional<JointIndex> found;
  for (JointIndex j = 0; j < rig.joints.size(); ++j) {
    const Node& node = rig.skeleton->nodes[rig.joints[j].node];
    if (node.helper) continue;
    if (name == "#" + std::to_string(rig.joints[j].node)) return j;
    if (node.name != name || name.empty()) continue;
    if (found && rig.joints[*found].node != rig.joints[j].node) {
      throw Error(ErrorKind::kUsage, "TWIST_JOINT_AMBIGUOUS",
                  "--twist " + name + ": mesh node '" + rig.id + "' has several joints of that " +
                      "name; write #" + std::to_string(rig.joints[*found].node) + " or #" +
                      std::to_string(rig.joints[j].node));
    }
    if (!found) found = j;
  }
  return found;
}

[[noreturn]] void fail_without_joint(const ShareTwist& twist, std::span<const ModifiedRig> rigs) {
  constexpr std::size_t kShown = 40;
  std::vector<std::string> names;
  for (const ModifiedRig& modified : rigs) {
    if (!modified.rig.skinned) continue;
    for (JointIndex j = 0; j < modified.rig.joints.size(); ++j) {
      const std::string id = joint_id(modified.rig, j);
      if (modified.rig.skeleton->nodes[modified.rig.joints[j].node].helper) continue;
      if (std::find(names.begin(), names.end(), id) == names.end()) names.push_back(id);
      if (names.size() > kShown) break;
    }
  }
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    list += (i == 0 ? "'" : ", '") + names[i] + "'";
  }
  if (names.size() > kShown) list += ", …";
  if (list.empty()) list = "none";
  const bool split_before = std::any_of(rigs.begin(), rigs.end(), [](const ModifiedRig& modified) {
    return !modified.rig.twists.empty();
  });
  if (twist.joint == "auto" && split_before) {
    throw Error(ErrorKind::kUsage, "TWIST_IMPOSSIBLE",
                "--twist auto: the limbs that are known by their names are split already; give it "
                "once, and before other joints");
  }
  const std::string what =
      twist.joint == "auto" ? "no upper or lower arm or leg is known by its name and can be split"
                            : "no mesh has such a joint";
  throw Error(ErrorKind::kUsage, "TWIST_JOINT_UNKNOWN",
              "--twist " + twist.joint + ": " + what + "; there are: " + list);
}

class RigModifier {
 public:
  RigModifier(std::span<const Rig* const> rigs, std::span<const HumanoidBone> humanoid,
              std::span<const Rig* const> file)
      : file_(file.begin(), file.end()), humanoid_(humanoid) {
    for (const Rig* rig : rigs) {
      const auto place = std::find(file_.begin(), file_.end(), rig);
      places_.push_back(static_cast<std::size_t>(place - file_.begin()));
      if (place == file_.end()) file_.push_back(rig);
      results_.push_back({*rig, {}, {}});
    }
  }

  void apply(const Modifier& modifier) {
    const auto* twist = std::get_if<ShareTwist>(&modifier);
    if (twist != nullptr) return share(*twist);
    for (ModifiedRig& result : results_) {
      put(result, modifier, with_engine_weights(result.rig, modifier));
    }
  }

  std::vector<ModifiedRig> results() && {
    for (ModifiedRig& result : results_) {
      if (result.changes.empty()) continue;
      result.rig.weight_sums.clear();  // weights of equal value weld, wherever they come from
      if (!result.rig.twists.empty()) validate(*result.rig.skeleton, {});
      validate(result.rig, {});
    }
    return std::move(results_);
  }

 private:
  void share(const ShareTwist& twist) {
    if (!bones_) bones_.emplace(file_);
    bool applied = false;
    for (std::size_t r = 0; r < results_.size(); ++r) {
      if (!results_[r].rig.skinned) continue;
      applied |= twist.joint == "auto" ? apply_auto(twist, r) : apply_named(twist, r);
    }
    if (applied) return;
    for (const ModifiedRig& result : results_) {
      if (result.issues.empty()) continue;
      std::string all;
      for (const Issue& issue : result.issues) all += (all.empty() ? "" : "; ") + issue.message;
      throw Error(ErrorKind::kUsage, "TWIST_IMPOSSIBLE", all);
    }
    fail_without_joint(twist, results_);
  }

  static void put(ModifiedRig& result, const Modifier& modifier, Rig changed) {
    changed.first_listed = first_listed_after(result.rig, changed);
    result.changes.push_back(record_of(modifier, result.rig, changed));
    result.rig = std::move(changed);
  }

  static bool moves_something(const Rig& rig, JointIndex joint) {
    return std::any_of(rig.influences.begin(), rig.influences.end(),
                       [&](const Influence& i) { return i.joint == joint; });
  }

  // A bone of the file's own that shares the twist of a limb already: it moves something, and hangs
  // below the limb with none but its like between. Of whole(r), as the limb.
  std::optional<JointIndex> twist_bone_of(std::size_t r, JointIndex limb) const {
    const Rig& whole = bones_->whole(r);
    const std::vector<Node>& nodes = whole.skeleton->nodes;
    for (JointIndex j = 0; j < whole.joints.size(); ++j) {
      NodeIndex above = whole.joints[j].node;
      while (above >= 0 && is_twist_name(nodes[above].name)) above = nodes[above].parent;
      const bool hangs_there = above == whole.joints[limb].node && whole.joints[j].node != above;
      if (hangs_there && bones_->moves_something(r, j)) return j;
    }
    return {};
  }

  // Why auto leaves a limb alone; empty if it does not.
  std::string why_left(std::size_t r, JointIndex limb, ShareTwist::From from,
                       const std::optional<FileBone>& bone) const {
    const std::size_t place = places_[r];
    const std::optional<JointIndex> helper = twist_bone_of(place, limb);
    if (helper) return "'" + joint_id(bones_->whole(place), *helper) + "' shares its twist already";
    return obstacle_to_twist(results_[r].rig, limb, from, bone);
  }

  bool apply_auto(const ShareTwist& twist, std::size_t r) {
    ModifiedRig& result = results_[r];
    bool applied = false;
    for (const Limb& limb : find_limbs(bones_->whole(places_[r]), humanoid_)) {
      // Limbs of other meshes, which this one does not know or does not follow.
      if (limb.joint >= file_[places_[r]]->joints.size()) continue;
      if (!moves_something(result.rig, limb.joint)) continue;
      const bool lower = limb.part == LimbPart::kLowerArm || limb.part == LimbPart::kLowerLeg;
      const auto from = lower ? ShareTwist::From::kChild : ShareTwist::From::kSelf;
      const ShareTwist one{joint_id(result.rig, limb.joint), twist.helpers, from};
      const std::optional<FileBone> bone = bones_->bone(places_[r], limb.joint);
      const std::string why = why_left(r, limb.joint, from, bone);
      if (!why.empty()) {
        const NodeIndex node = result.rig.joints[limb.joint].node;
        if (is_twist_shared(result.rig, limb.joint)) continue;  // as the user wanted
        result.issues.push_back(make_issue(
            IssueCode::TWIST_LIMB_LEFT, "", "/nodes/" + std::to_string(node),
            "--twist auto leaves '" + joint_id(result.rig, limb.joint) + "' as it is: " + why));
        continue;
      }
      put(result, one, with_twist_joints(result.rig, limb.joint, one, *bone));
      applied = true;
    }
    return applied;
  }

  bool apply_named(const ShareTwist& twist, std::size_t r) {
    ModifiedRig& result = results_[r];
    const std::optional<JointIndex> joint = joint_named(result.rig, twist.joint);
    // Nor does the rig have a joint that only a twist before has brought along.
    if (!joint || *joint >= file_[places_[r]]->joints.size()) return false;
    const std::optional<FileBone> bone = bones_->bone(places_[r], *joint);
    const std::string obstacle = obstacle_to_twist(result.rig, *joint, twist.from, bone);
    if (!obstacle.empty()) {
      throw Error(ErrorKind::kUsage, "TWIST_IMPOSSIBLE",
                  canonical(twist).insert(0, "--").replace(7, 1, " ") + ": in mesh node '" +
                      result.rig.id + "' the joint cannot be split: " + obstacle);
    }
    if (moves_something(result.rig, *joint)) {
      put(result, twist, with_twist_joints(result.rig, *joint, twist, *bone));
    } else {
      put(result, twist, result.rig);
    }
    return true;
  }

  std::vector<const Rig*> file_;
  std::vector<std::size_t> places_;  // [result] in file_
  std::optional<FileBones> bones_;   // from the first twist on
  std::span<const HumanoidBone> humanoid_;
  std::vector<ModifiedRig> results_;
};

}  // namespace

std::vector<ModifiedRig> modify(std::span<const Rig* const> rigs,
                                std::span<const Modifier> modifiers,
                                std::span<const HumanoidBone> humanoid,
                                std::span<const Rig* const> file) {
  RigModifier modifier(rigs, humanoid, file);
  for (const Modifier& m : modifiers) modifier.apply(m);
  return std::move(modifier).results();
}

}  // namespace skinbake
