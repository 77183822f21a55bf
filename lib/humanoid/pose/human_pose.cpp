// Poses of the human skeleton, and the skeleton in the T-pose.

#include <algorithm>
#include <cmath>

#include "base/nearest_word.h"
#include "clip/sampling/sample.h"
#include "humanoid/pose/human_pose.h"
#include "humanoid/pose/t_pose.h"
#include "math/rotation_parts.h"
#include "rig/rest_pose.h"
#include "skinbake/error.h"

namespace skinbake {

Quat<double> turn_above(const HumanPose& pose, const HumanBone& bone) {
  for (const HumanBone* above = &bone; !above->parent.empty();) {
    const std::size_t parent = human_bone_index(above->parent);
    if (pose.turns[parent]) return *pose.turns[parent];
    above = &kHumanBones[parent];
  }
  return {1, 0, 0, 0};
}

HumanPose pose_of(const BoneRotations& rotations) {
  HumanPose pose;
  for (std::size_t b = 0; b < kHumanBones.size(); ++b) {  // parents come before children
    if (!rotations.bones[b]) continue;
    pose.turns[b] = turn_above(pose, kHumanBones[b]) * *rotations.bones[b];
  }
  return pose;
}

BoneRotations rotations_of(const HumanPose& pose) {
  BoneRotations rotations;
  for (std::size_t b = 0; b < kHumanBones.size(); ++b) {
    if (!pose.turns[b]) continue;
    rotations.bones[b] = conjugate(turn_above(pose, kHumanBones[b])) * *pose.turns[b];
  }
  return rotations;
}

namespace {

bool is_finite(const Quat<double>& q) {
  return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}

// The skeleton whose rest pose is an instant of a clip. Nodes with a matrix stay.
Skeleton posed_skeleton(const Skeleton& skeleton, const Clip& clip, double time_s) {
  Skeleton posed = skeleton;
  for (const Channel& channel : clip.channels) {
    Node& node = posed.nodes[static_cast<std::size_t>(channel.node)];
    if (channel.path == ChannelPath::kWeights || node.matrix) continue;
    double v[4];
    sample(channel, time_s, v);
    if (channel.path == ChannelPath::kTranslation) node.translation = {v[0], v[1], v[2]};
    if (channel.path == ChannelPath::kRotation) node.rotation = {v[3], v[0], v[1], v[2]};
    if (channel.path == ChannelPath::kScale) node.scale = {v[0], v[1], v[2]};
  }
  return posed;
}

bool turns_nodes(const Clip& clip) {
  return std::any_of(clip.channels.begin(), clip.channels.end(),
                     [](const Channel& channel) { return channel.path == ChannelPath::kRotation; });
}

const Clip& clip_of(const std::vector<Clip>& clips, const TPoseChoice& choice,
                    const std::string& file) {
  const auto found = std::find_if(clips.begin(), clips.end(),
                                  [&](const Clip& clip) { return clip.id == choice.clip; });
  if (found == clips.end()) {
    std::string known;
    std::vector<std::string> ids;
    for (const Clip& clip : clips) {
      known += (known.empty() ? "'" : ", '") + clip.id + "'";
      ids.push_back(clip.id);
    }
    throw Error("T_POSE_INVALID",
                file + ": no clip '" + choice.clip + "' for the T-pose; " +
                    (known.empty() ? "the file has none" : "there are: " + known) +
                    did_you_mean(choice.clip, ids));
  }
  if (!(choice.time_s >= 0 && choice.time_s <= found->duration_s)) {
    throw Error("T_POSE_INVALID", file + ": the T-pose is not within clip '" + choice.clip +
                                      "', which lasts " + std::to_string(found->duration_s) + " s");
  }
  if (!turns_nodes(*found)) {
    throw Error("T_POSE_INVALID",
                file + ": clip '" + choice.clip +
                    "' does not have keys of rotations, so that it does not pose the body; choose "
                    "another clip for the T-pose");
  }
  return *found;
}

class TPosing {
 public:
  TPosing(const Skeleton& skeleton, const HumanoidMap& map, const std::string& file)
      : skeleton_(skeleton), tree_(skeleton), bones_(tree_, map.bones), map_(map), file_(file) {
    for (std::size_t b = 0; b < kHumanBones.size(); ++b) {
      posed_.nodes[b] = bones_.node(kHumanBones[b].name);
    }
    for (const Node& node : skeleton.nodes) posed_.locals.push_back(rotation_at_rest(node));
    posed_.turns = scene_rotations(skeleton, posed_.locals);
  }

  TPosedSkeleton run(bool is_corrected) {
    if (is_vrm(map_)) {
      posed_.scene_from_character = facing_of_vrm();
    } else {
      require_complete();
      posed_.scene_from_character = to_quat(upright(character_frame(tree_, bones_)));
    }
    std::vector<Vec3<double>> places = places_at_rest();
    if (is_corrected) {
      require_complete();
      const TPose pose = t_pose(tree_, bones_);
      correct(pose);
      places = pose.positions;
    }
    measure(places);
    require_finite();
    return std::move(posed_);
  }

 private:
  static std::size_t index(NodeIndex n) { return static_cast<std::size_t>(n); }

  static Quat<double> to_quat(const CharacterFrame& frame) {
    return skinbake::to_quat(Affine<double>{frame.left, frame.up, frame.forward, {0, 0, 0}});
  }

  Quat<double> facing_of_vrm() const {
    const NodeIndex left = bones_.node("leftUpperLeg"), right = bones_.node("rightUpperLeg");
    const bool faces_back =
        left >= 0 && right >= 0 && tree_.position(left).x < tree_.position(right).x;
    return faces_back ? Quat<double>{0, 0, 1, 0} : Quat<double>{1, 0, 0, 0};
  }

  void require_complete() const {
    if (bones_.is_complete()) return;
    std::string missing;
    for (const HumanBone& bone : kHumanBones) {
      if (!bone.is_required || bones_.node(bone.name) >= 0) continue;
      missing += (missing.empty() ? "'" : ", '") + std::string(bone.name) + "'";
    }
    throw Error("HUMANOID_INCOMPLETE",
                "the humanoid map does not have these bones, which the T-pose needs: " + missing,
                {file_, ""});
  }

  void require_finite() const {
    const auto finite = [](const Quat<double>& q) { return is_finite(q); };
    if (std::all_of(posed_.locals.begin(), posed_.locals.end(), finite) &&
        is_finite(posed_.scene_from_character) && std::isfinite(posed_.hips_height_m)) {
      return;
    }
    throw Error("HUMANOID_NOT_FINITE",
                "the rest pose does not determine the T-pose: bones coincide, have huge positions, "
                "or are the nodes of other bones",
                {file_, ""});
  }

  std::vector<Vec3<double>> places_at_rest() const {
    std::vector<Vec3<double>> places;
    for (std::size_t n = 0; n < skeleton_.nodes.size(); ++n) {
      places.push_back(tree_.position(static_cast<NodeIndex>(n)));
    }
    return places;
  }

  // Turns the bones, and leaves the other nodes as they are on the bones above them.
  void correct(const TPose& pose) {
    std::vector<const TPosedBone*> bone_of(skeleton_.nodes.size());
    for (const TPosedBone& bone : pose.bones) bone_of[index(bone.node)] = &bone;
    std::vector<Quat<double>> turned(skeleton_.nodes.size());
    for (const NodeIndex n : skeleton_.order) {
      const NodeIndex above = skeleton_.base_of(n);
      const Quat<double> base = above < 0 ? Quat<double>{1, 0, 0, 0} : turned[index(above)];
      if (const TPosedBone* bone = bone_of[index(n)]) {
        turned[index(n)] = bone->total * posed_.turns[index(n)];
        posed_.locals[index(n)] = conjugate(base) * turned[index(n)];
      } else {
        turned[index(n)] = base * posed_.locals[index(n)];
      }
    }
    posed_.turns = std::move(turned);
  }

  // VRM files stand on y = 0. Others stand on the lower foot: at rest that is the ground, and the
  // length of the legs in the T-pose is the height of the hips.
  void measure(const std::vector<Vec3<double>>& places) {
    const NodeIndex hips = bones_.node("hips");
    if (hips < 0) return;
    if (is_vrm(map_)) {
      posed_.hips_height_m = places[index(hips)].y;
      const auto place_of = [&](NodeIndex n) { return places[index(n)]; };
      posed_.ankle_m = lower_foot_m(posed_.nodes, place_of).value_or(0);
      return;
    }
    const NodeIndex left = bones_.node("leftFoot"), right = bones_.node("rightFoot");
    posed_.ground_m = std::min(tree_.position(left).y, tree_.position(right).y);
    posed_.hips_height_m =
        places[index(hips)].y - std::min(places[index(left)].y, places[index(right)].y);
  }

  const Skeleton& skeleton_;
  const NodeTree tree_;
  const HumanMap bones_;
  const HumanoidMap& map_;
  const std::string& file_;
  TPosedSkeleton posed_;
};

}  // namespace

double hips_unit_m(const TPosedSkeleton& body) {
  return body.hips_height_m > 0 ? body.hips_height_m : 1;
}

Vec3<double> hips_place(const TPosedSkeleton& body, Vec3<double> in_scene, double unit_m) {
  in_scene.y = in_scene.y - body.ground_m;
  return (1 / unit_m) * rotated(conjugate(body.scene_from_character), in_scene);
}

std::vector<BoneStep> steps_to_bones(const Skeleton& skeleton,
                                     const std::array<NodeIndex, kHumanBones.size()>& nodes) {
  const std::size_t count = skeleton.nodes.size();
  std::vector<char> is_needed(count);
  std::vector<int> bone_of(count, -1), place(count, -1);
  for (std::size_t b = 0; b < nodes.size(); ++b) {
    if (nodes[b] >= 0) bone_of[static_cast<std::size_t>(nodes[b])] = static_cast<int>(b);
    for (NodeIndex n = nodes[b]; n >= 0 && !is_needed[static_cast<std::size_t>(n)];
         n = skeleton.base_of(n)) {
      is_needed[static_cast<std::size_t>(n)] = 1;
    }
  }
  std::vector<BoneStep> steps;
  for (const NodeIndex n : skeleton.order) {
    const auto i = static_cast<std::size_t>(n);
    if (!is_needed[i]) continue;
    const NodeIndex above = skeleton.base_of(n);
    place[i] = static_cast<int>(steps.size());
    steps.push_back({n, above < 0 ? -1 : place[static_cast<std::size_t>(above)], bone_of[i]});
  }
  return steps;
}

Quat<double> rotation_at_rest(const Node& node) {
  return node.matrix ? to_quat(polar_factors(*node.matrix).rotation) : node.rotation;
}

std::vector<Quat<double>> scene_rotations(const Skeleton& skeleton,
                                          const std::vector<Quat<double>>& locals) {
  std::vector<Quat<double>> rotations(locals.size());
  for (const NodeIndex n : skeleton.order) {
    const NodeIndex above = skeleton.base_of(n);
    const Quat<double>& local = locals[static_cast<std::size_t>(n)];
    rotations[static_cast<std::size_t>(n)] =
        above < 0 ? local : rotations[static_cast<std::size_t>(above)] * local;
  }
  return rotations;
}

TPosedSkeleton t_posed(const Skeleton& skeleton, const HumanoidMap& map, bool is_corrected,
                       const std::string& file) {
  return TPosing(skeleton, map, file).run(is_corrected);
}

TPosedSkeleton t_posed(const Skeleton& skeleton, const HumanoidMap& map,
                       const std::vector<Clip>& clips, const TPoseChoice& choice,
                       const std::string& file) {
  if (choice.source == TPoseSource::kClip) {
    const Clip& clip = clip_of(clips, choice, file);
    require_read(clip);
    return t_posed(posed_skeleton(skeleton, clip, choice.time_s), map, false, file);
  }
  const bool is_corrected = resolved(choice, map).source == TPoseSource::kAuto;
  return t_posed(skeleton, map, is_corrected, file);
}

TPoseChoice resolved(const TPoseChoice& choice, const HumanoidMap& map) {
  if (choice.source != TPoseSource::kByMap) return choice;
  return {is_vrm(map) ? TPoseSource::kRest : TPoseSource::kAuto};
}

}  // namespace skinbake
