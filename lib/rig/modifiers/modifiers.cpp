#include "skinbake/rig.h"

#include <algorithm>
#include <map>
#include <memory>

#include "base/issue.h"
#include "rig/influences.h"
#include "rig/joint_tree.h"
#include "rig/modifiers/twist.h"
#include "rig/surface/weld.h"
#include "rig/validate.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// Smaller changes of a weight are rounding errors.
constexpr double kNegligibleMove = 1e-12;

int levels_of(int bits) {
  return (1 << bits) - 1;
}

// Returns the sum of the weights that joints of a vertex lost.
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

ModifierRecord record_of(const Modifier& modifier, const Rig& before, const Rig& after) {
  ModifierRecord record;
  record.modifier = canonical(modifier);
  for (VertexIndex v = 0; v < before.mesh->vertex_count(); ++v) {
    if (are_equal(before.influences_of(v), after.influences_of(v))) continue;
    const double moved = weight_moved(before.influences_of(v), after.influences_of(v));
    if (!(moved > kNegligibleMove)) continue;
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

Rig with_fitted(const Rig& rig, FittedInfluences fitted) {
  Rig changed = rig;
  changed.first_influence = std::move(fitted.first_influence);
  changed.influences = std::move(fitted.influences);
  return changed;
}

// Returns the joint with the identifier `name`: a node's name or "#<node>". Throws Error if several
// joints have the name.
std::optional<JointIndex> joint_named(const Rig& rig, const std::string& name) {
  std::optional<JointIndex> found;
  for (JointIndex j = 0; j < rig.joints.size(); ++j) {
    const Node& node = rig.skeleton->nodes[rig.joints[j].node];
    if (node.helper) continue;
    if (name == "#" + std::to_string(rig.joints[j].node)) return j;
    if (node.name != name || name.empty()) continue;
    if (found && rig.joints[*found].node != rig.joints[j].node) {
      throw Error("TWIST_JOINT_AMBIGUOUS", "twist " + name + ": mesh node '" + rig.id +
                                               "' has several joints of this " + "name; write #" +
                                               std::to_string(rig.joints[*found].node) + " or #" +
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
    throw Error(
        "TWIST_IMPOSSIBLE",
        "twist auto: the twists of all limbs that are found by name are already shared; use "
        "auto once, before twists of single joints");
  }
  const std::string problem =
      twist.joint == "auto" ? "no upper or lower arm or leg that can be split is found by name"
                            : "no mesh has this joint";
  throw Error("TWIST_JOINT_UNKNOWN", "twist " + twist.joint + ": " + problem + "; joints: " + list);
}

// The nodes with names of twist joints. A chain of them is followed once, not from each joint.
class TwistNodes {
 public:
  explicit TwistNodes(const std::vector<Node>& nodes) : nodes_(nodes) {}

  // The node, or the first one above it, whose name does not name a twist joint; -1: none.
  NodeIndex first_other(NodeIndex node) {
    std::vector<NodeIndex> path;
    while (node >= 0) {
      const auto known = first_other_.find(node);
      if (known != first_other_.end()) {
        node = known->second;
        break;
      }
      if (!is_twist_name(nodes_[node].name)) break;
      path.push_back(node);
      node = nodes_[node].parent;
    }
    for (const NodeIndex twist : path) first_other_[twist] = node;
    return node;
  }

 private:
  const std::vector<Node>& nodes_;
  std::map<NodeIndex, NodeIndex> first_other_;  // of nodes with names of twist joints
};

class RigModifier {
 public:
  RigModifier(std::span<const Rig* const> rigs, const ModifierInputs& inputs)
      : file_(inputs.file.begin(), inputs.file.end()), inputs_(inputs) {
    for (const Rig* rig : rigs) {
      const auto found = std::find(file_.begin(), file_.end(), rig);
      file_index_.push_back(static_cast<std::size_t>(found - file_.begin()));
      if (found == file_.end()) file_.push_back(rig);
      results_.push_back({*rig, {}, {}});
    }
  }

  void apply(const Modifier& modifier) {
    const auto* twist = std::get_if<ShareTwist>(&modifier);
    if (twist != nullptr) return share(*twist);
    const auto* fit = std::get_if<FitInfluences>(&modifier);
    if (fit != nullptr) return fit_influences(*fit);
    for (ModifiedRig& result : results_) {
      replace(result, modifier, with_engine_weights(result.rig, modifier));
    }
  }

  std::vector<ModifiedRig> results() && {
    for (ModifiedRig& result : results_) {
      if (result.changes.empty()) continue;
      if (!result.rig.twists.empty()) validate(*result.rig.skeleton, {});
      validate(result.rig, {});
    }
    return std::move(results_);
  }

 private:
  void share(const ShareTwist& twist) {
    if (!segments_) segments_.emplace(file_);
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
      throw Error("TWIST_IMPOSSIBLE", all);
    }
    fail_without_joint(twist, results_);
  }

  void fit_influences(const FitInfluences& fit) {
    if (!inputs_.fit) {
      throw Error("FIT_WITHOUT_CLIPS",
                  canonical(fit) + ": a fit of influences learns from clips, and none is given");
    }
    for (ModifiedRig& result : results_) {
      if (!result.rig.skinned) {
        replace(result, fit, result.rig);
        continue;
      }
      FittedInfluences fitted = inputs_.fit(result.rig, fit);
      const InfluenceFitErrors errors = fitted.errors;
      replace(result, fit, with_fitted(result.rig, std::move(fitted)));
      result.changes.back().fit = errors;
    }
  }

  static void replace(ModifiedRig& result, const Modifier& modifier, Rig changed) {
    changed.first_listed = first_listed_after(result.rig, changed);
    result.changes.push_back(record_of(modifier, result.rig, changed));
    changed.weld_before_modifiers =
        std::make_shared<const Weld>(weld_vertices(result.rig, WeldBy::kFile));
    result.rig = std::move(changed);
  }

  static bool has_weight(const Rig& rig, JointIndex joint) {
    return std::any_of(rig.influences.begin(), rig.influences.end(),
                       [&](const Influence& i) { return i.joint == joint; });
  }

  // Returns a joint of the file that already shares the twist of a limb: it has weight, and all
  // nodes between it and the limb have names of twist joints. Joints count as in whole(r).
  std::optional<JointIndex> twist_joint_of(std::size_t r, JointIndex limb) const {
    const Rig& whole = segments_->whole(r);
    TwistNodes twist_nodes(whole.skeleton->nodes);
    for (JointIndex j = 0; j < whole.joints.size(); ++j) {
      const NodeIndex above = twist_nodes.first_other(whole.joints[j].node);
      const bool is_below = above == whole.joints[limb].node && whole.joints[j].node != above;
      if (is_below && segments_->has_weight(r, j)) return j;
    }
    return {};
  }

  // Returns why "auto" skips a limb, or an empty string.
  std::string obstacle(std::size_t r, JointIndex limb, ShareTwist::From from,
                       const std::optional<JointSegment>& segment) const {
    const std::size_t index = file_index_[r];
    const std::optional<JointIndex> helper = twist_joint_of(index, limb);
    if (helper) {
      return "'" + joint_id(segments_->whole(index), *helper) + "' already shares its twist";
    }
    return obstacle_to_twist(results_[r].rig, limb, from, segment);
  }

  bool apply_auto(const ShareTwist& twist, std::size_t r) {
    ModifiedRig& result = results_[r];
    bool applied = false;
    for (const Limb& limb : find_limbs(segments_->whole(file_index_[r]), inputs_.humanoid)) {
      // Limbs of other meshes: joints that this mesh does not have, or that do not move it.
      if (limb.joint >= file_[file_index_[r]]->joints.size()) continue;
      if (!has_weight(result.rig, limb.joint)) continue;
      const bool lower = limb.part == LimbPart::kLowerArm || limb.part == LimbPart::kLowerLeg;
      const auto from = lower ? ShareTwist::From::kChild : ShareTwist::From::kSelf;
      const ShareTwist one{joint_id(result.rig, limb.joint), twist.helpers, from};
      const std::optional<JointSegment> segment = segments_->segment(file_index_[r], limb.joint);
      const std::string problem = obstacle(r, limb.joint, from, segment);
      if (!problem.empty()) {
        const NodeIndex node = result.rig.joints[limb.joint].node;
        if (is_twist_shared(result.rig, limb.joint)) continue;  // by an earlier modifier
        result.issues.push_back(
            make_issue("TWIST_LIMB_LEFT", "", "/nodes/" + std::to_string(node),
                       "twist auto skips '" + joint_id(result.rig, limb.joint) + "': " + problem));
        continue;
      }
      replace(result, one, with_twist_joints(result.rig, limb.joint, one, *segment));
      applied = true;
    }
    return applied;
  }

  bool apply_named(const ShareTwist& twist, std::size_t r) {
    ModifiedRig& result = results_[r];
    const std::optional<JointIndex> joint = joint_named(result.rig, twist.joint);
    // Joints that an earlier twist added do not count.
    if (!joint || *joint >= file_[file_index_[r]]->joints.size()) return false;
    const std::optional<JointSegment> segment = segments_->segment(file_index_[r], *joint);
    const std::string problem = obstacle_to_twist(result.rig, *joint, twist.from, segment);
    if (!problem.empty()) {
      throw Error("TWIST_IMPOSSIBLE", "twist " + twist.joint + ": in mesh node '" + result.rig.id +
                                          "' the joint cannot be split: " + problem);
    }
    if (has_weight(result.rig, *joint)) {
      replace(result, twist, with_twist_joints(result.rig, *joint, twist, *segment));
    } else {
      replace(result, twist, result.rig);
    }
    return true;
  }

  std::vector<const Rig*> file_;
  std::vector<std::size_t> file_index_;        // [result] index into file_
  std::optional<FileJointSegments> segments_;  // computed for the first twist
  const ModifierInputs& inputs_;
  std::vector<ModifiedRig> results_;
};

}  // namespace

std::vector<ModifiedRig> modify(std::span<const Rig* const> rigs,
                                std::span<const Modifier> modifiers, const ModifierInputs& inputs) {
  RigModifier modifier(rigs, inputs);
  for (const Modifier& m : modifiers) modifier.apply(m);
  return std::move(modifier).results();
}

}  // namespace skinbake
