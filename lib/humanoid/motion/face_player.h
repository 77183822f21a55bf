// The face of a rig over time: expressions, eyes that follow a direction, and the clip that drives
// both.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clip/clip_motion.h"
#include "humanoid/motion/pose_source.h"
#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake {

// ---- How the expressions of a VRM model combine to weights of morph targets.

class ExpressionMixer {
 public:
  // Copies the rules of the expressions.
  explicit ExpressionMixer(std::span<const Expression> expressions);

  // The index of an expression, or nothing.
  std::optional<std::size_t> find(std::string_view name) const;

  // Whether an expression moves morph targets of a mesh node.
  bool moves(NodeIndex mesh_node) const { return binds_.contains(mesh_node); }

  // The least number of morph targets of a mesh node that has all targets which expressions move.
  std::size_t least_targets(NodeIndex mesh_node) const;

  // Changes weights, one for each expression, to the weights that are applied: within 0 … 1, 0 or 1
  // for binary expressions, reduced by the expressions that override them.
  void combine(std::span<double> weights) const;

  // Sets the morph weights of a mesh node that expressions move: to 0, and then adds the combined
  // weights of all expressions. Weights of other targets stay. Targets beyond `morphs` are left
  // out: the face may belong to another rig.
  void apply(std::span<const double> combined, NodeIndex mesh_node, std::span<double> morphs) const;

 private:
  enum class Kind { kOther, kBlink, kLook, kMouth };
  struct Rule {
    Kind kind = Kind::kOther;
    bool is_binary = false;
    ExpressionOverride of_blink, of_look, of_mouth;
  };
  struct Bind {
    std::size_t expression = 0, target = 0;
    double weight = 0;
  };

  static Kind kind_of(std::string_view name);

  std::map<std::string, std::size_t, std::less<>> index_;
  std::vector<Rule> rules_;                       // [expression]
  std::map<NodeIndex, std::vector<Bind>> binds_;  // by mesh node
};

// ---- How the eyes of a VRM model follow a direction.
//
// VRM Consortium. VRMC_vrm-1.0, "LookAt". 2022.

// Where the eyes look, relative to the head, in degrees.
struct Gaze {
  double yaw_deg = 0;    // to the character's left
  double pitch_deg = 0;  // down
};

// The gaze of a rotation that is first about x, then about y: roll about z is left out. `q` is of
// unit length.
Gaze gaze_of(const Quat<double>& q);

// The rotations of the eyes relative to the head, about the axes of the character's frame: x to its
// left, y up, z forward.
struct EyeTurns {
  Quat<double> left, right;  // unit length
};
EyeTurns eye_turns(const LookAt& look, const Gaze& gaze);

// The weights of the expressions lookUp, lookDown, lookLeft and lookRight.
struct LookWeights {
  double up = 0, down = 0, left = 0, right = 0;
};
LookWeights look_weights(const LookAt& look, const Gaze& gaze);

// ---- The face of a rig over time, as a clip drives it.

// The channels of a clip that drive a face.
struct FaceChannels {
  struct Driver {
    std::string expression;
    Channel channel;  // a translation: x is the weight
  };
  std::vector<Driver> expressions;
  std::optional<Channel> look_at;  // a rotation
};

// The expression of the other side: "blinkLeft" for "blinkRight"; the same if it has no side.
std::string_view other_side_of_face(std::string_view expression);

// What all players of one face share.
struct PlayableFace {
  ExpressionMixer mixer;
  std::optional<LookAt> look_at;
  std::size_t expression_count;

  explicit PlayableFace(const Face& face)
      : mixer(face.expressions), look_at(face.look_at), expression_count(face.expressions.size()) {}
};

class FacePlayer {
 public:
  // Mirrored, left and right are exchanged. Drivers of expressions that the face does not have are
  // left out.
  FacePlayer(std::shared_ptr<const PlayableFace> face, FaceChannels channels, bool is_mirrored);

  // Whether an expression is driven, by its channel or by look-at.
  bool drives_expressions() const { return !drivers_.empty() || looks_by(LookType::kExpressions); }
  // Whether expressions that are driven move morph targets of a mesh node.
  bool moves_morphs(NodeIndex mesh_node) const {
    return drives_expressions() && face_->mixer.moves(mesh_node);
  }
  // The least number of morph targets of a mesh node that has all of them.
  std::size_t least_morph_targets(NodeIndex mesh_node) const {
    return drives_expressions() ? face_->mixer.least_targets(mesh_node) : 0;
  }
  // Whether look-at rotates the bones of the eyes.
  bool turns_eyes() const { return looks_by(LookType::kBones); }

  // The rotations of the eyes relative to the head, not mirrored. Precondition: turns_eyes().
  EyeTurns eyes(double time_s) const;

  // Sets the weights that expressions move in a mesh node; without driven expressions, none.
  void sample_morphs(NodeIndex mesh_node, double time_s, std::span<double> morphs) const;

  // Ascending and distinct.
  const std::vector<double>& key_times() const { return key_times_; }

 private:
  bool looks_by(LookType type) const {
    return face_->look_at && look_channel_ && face_->look_at->type == type;
  }
  Gaze gaze(double time_s) const;

  std::shared_ptr<const PlayableFace> face_;
  std::vector<std::pair<std::size_t, Channel>> drivers_;  // expression and its weight
  std::optional<Channel> look_channel_;
  bool is_mirrored_;
  std::vector<double> key_times_;
};

// The poses of another source, with eyes that look.
class LookingPoses : public PoseSource {
 public:
  // Precondition: face->turns_eyes().
  LookingPoses(std::shared_ptr<const PoseSource> body, std::shared_ptr<const FacePlayer> face);

  HumanPose pose(double time_s) const override;
  const std::vector<double>& key_times() const override { return key_times_; }
  std::string name(double time_s) const override { return body_->name(time_s); }

 private:
  std::shared_ptr<const PoseSource> body_;
  std::shared_ptr<const FacePlayer> face_;
  std::vector<double> key_times_;
};

// Another motion, with a face.
class FaceMotion : public ClipMotion {
 public:
  // `body` may be null: nothing but the face moves.
  FaceMotion(std::shared_ptr<const ClipMotion> body, std::shared_ptr<const FacePlayer> face);

  const std::vector<NodeIndex>& nodes() const override { return nodes_; }
  void sample(double time_s, std::span<NodePose> poses) const override {
    if (body_) body_->sample(time_s, poses);
  }
  void sample_morphs(NodeIndex mesh_node, double time_s, std::span<double> weights) const override;
  std::size_t least_morph_targets(NodeIndex mesh_node) const override;
  const std::vector<double>& key_times() const override { return key_times_; }

 private:
  std::shared_ptr<const ClipMotion> body_;
  std::shared_ptr<const FacePlayer> face_;
  std::vector<NodeIndex> nodes_;
  std::vector<double> key_times_;
};

}  // namespace skinbake
