// A clip is keyframed motion. A FrameRange is the set of instants at which it is sampled.
//
// All structs are plain data. Concurrent reads are safe.

#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skinbake/error.h"
#include "skinbake/rig.h"

namespace skinbake {

enum class Interpolation { kStep, kLinear, kCubicSpline };
enum class ChannelPath { kTranslation, kRotation, kScale, kWeights };

// The keyframes of one property of one node.
struct Channel {
  NodeIndex node = -1;
  ChannelPath path = ChannelPath::kTranslation;
  Interpolation interpolation = Interpolation::kLinear;
  int width = 3;         // numbers per value: 3, 4 (x y z w), or the number of morph weights
  int first_weight = 0;  // index of the first morph weight
  std::shared_ptr<const std::vector<double>> times;   // [key] seconds, not descending, not empty
  std::shared_ptr<const std::vector<double>> values;  // [key][width]; cubic: [key][3][width]
  // first_weight alone moves, whatever the number of the mesh's weights (KHR_animation_pointer).
  bool is_one_weight = false;
};

class ClipMotion;  // internal

struct Clip {
  std::string id;  // unique: the clip's name if no other clip has it, else "#<index>"
  int index = 0;   // position in the file
  std::string name;
  double duration_s = 0;  // the greatest key time of all channels, including unmatched ones
  std::vector<Channel> channels;
  // Moves further nodes, as match_clip, range_of_motion and load_poses do; null: none.
  std::shared_ptr<const ClipMotion> motion = nullptr;
  // Not null: the error for which load_asset has not read the clip. `validate` and all functions
  // that bake throw it.
  std::shared_ptr<const Error> fault = nullptr;
  // [channel of the file] What it moves, for issues that refer to the channel or its sampler.
  struct Target {
    int sampler = 0;
    std::string element;  // a JSON pointer: "/nodes/7", "/meshes/2", "/materials/1"
  };
  std::vector<Target> targets = {};
};

// The name of a clip's pose at an instant: "forearm twist at +90°". Poses of range_of_motion and
// load_poses have names; the name of other poses, and of the rest pose (null), is empty.
// Thread-safe.
std::string pose_name(const Clip* clip, double time_s);

// The bones of a human body that the clip would turn if their nodes did not have a matrix with
// shear or a scale of zero, in the order of the skeleton.
std::vector<NodeIndex> stuck_bones(const Clip& clip);

// The part of a frame by which a key may be off the frame that it was made for: 1e-3 or, in long
// clips, the distance of two floats at its time, because key times are float32. At most a half.
double frame_tolerance(double time_s, double fps);

// `frame_count` frames with the numbers first_frame, first_frame + frame_step, … Frame i is at
// i / fps seconds, but not later than end_s. k counts the frames of the range from 0.
// Preconditions: fps > 0, frame_step > 0, frame_count >= 0; only the last frame is later than
// end_s.
struct FrameRange {
  double fps = 30;
  std::int64_t first_frame = 0;
  std::int64_t frame_step = 1;
  std::int64_t frame_count = 1;
  // The end of the clip, if a frame is sampled there: see sampled_to_end and with_exact_end.
  double end_s = std::numeric_limits<double>::infinity();

  std::int64_t frame(std::int64_t k) const { return first_frame + k * frame_step; }
  double time_s(std::int64_t k) const {
    return std::min(static_cast<double>(frame(k)) / fps, end_s);
  }
  // The instant of the pose of frame k: the end of the clip for the frame that counts as it.
  double sample_time_s(std::int64_t k) const {
    const double at_s = static_cast<double>(frame(k)) / fps;
    return at_s + frame_tolerance(end_s, fps) / fps < end_s ? at_s : end_s;
  }
  // Whether frame k is the end of a clip, which lies between two frames.
  bool is_end(std::int64_t k) const {
    return static_cast<double>(frame(k)) > end_s * fps + frame_tolerance(end_s, fps);
  }
};

// The rates that frames may have, in frames per second. Beyond them, the times of frames in reports
// would not be finite numbers.
inline constexpr double kMinFps = 1e-15, kMaxFps = 1e15;
constexpr bool is_frame_rate(double fps) {
  return fps >= kMinFps && fps <= kMaxFps;
}

// Returns the number of the last frame of a clip: floor(duration_s * fps + tolerance), with
// frame_tolerance(duration_s, fps). Without it, a duration of a whole number of frames that float32
// stores slightly too short would lose its last frame.
std::int64_t last_frame(double duration_s, double fps);

// The time from the last frame of a clip to its end; 0 if the end is the last frame, within the
// tolerance.
double end_lost_s(double duration_s, double fps);

// All frames of a clip, from 0 to the last: at least one.
// Throws Error (kUsage): FPS_INVALID unless is_frame_rate(fps); TOO_MANY_FRAMES beyond
// 2147483647 frames.
FrameRange frames_of(const Clip& clip, double fps = 30);

// The frames, so that the last one of the clip, if they contain it, is sampled at the end of the
// clip even if that is later within the tolerance: a key there would not be reached otherwise.
FrameRange sampled_to_end(FrameRange frames, const Clip& clip);

// The frames, if they contain the last frame of the clip, so that the last one is at the exact end
// of the clip: one more frame if the end is later than the last frame.
FrameRange with_exact_end(FrameRange frames, const Clip& clip);

// How far a mesh moves from one instant of a clip to another.
struct PoseGap {
  const Rig* rig = nullptr;
  std::string joint;    // with the largest move: the name of its node, or "#<node>"; empty: morph
                        // targets
  double metres = 0;    // the farthest that a corner of the box around the joint's vertices, or a
                        // vertex of the morph targets, moves
  double relative = 0;  // metres over the diagonal of the mesh at the first instant; infinite if
                        // that is 0
};

// Compares the joints and the morph weights of the rigs at two instants, in the order of the rigs.
// Rigs without vertices are left out. A vertex belongs to the joint with its largest weight.
// Precondition: the clip moves the skeleton of the rigs. Thread-safe.
std::vector<PoseGap> pose_gaps(std::span<const Rig* const> rigs, const Clip& clip, double from_s,
                               double to_s);

// The warning LOOP_OPEN if the last frame, or the end of the clip after it, does not repeat the
// first within 1e-3 of the diagonal of each mesh: played as a loop, the clip jumps. `file` is the
// file in the issue. Precondition and thread safety as above.
Issues loop_issues(std::span<const Rig* const> rigs, const Clip& clip, double fps,
                   const std::string& file);

// The warning CLIP_END_BETWEEN_FRAMES if the frames reach the last frame of the clip, which is not
// its only one, and the clip ends later: the frames lose its end. Same parameters. `together`: the
// clips of the run, which have one rate; null: a rest pose.
Issues end_issues(std::span<const Rig* const> rigs, const Clip& clip, const FrameRange& frames,
                  const std::string& file, std::span<const Clip* const> together = {});

// Checks a clip for a rig. Throws Error (kInput, CLIP_INVALID), which names the channel and the
// condition, unless its duration is finite and at least 0 and every channel meets these conditions:
//
// - `node` is a node of the rig's skeleton;
// - `width` is 3 for translations and scales, 4 for rotations, at least 1 for morph weights;
//   `first_weight` is at least 0, and the morph weights of the rig's own node are weights of its
//   mesh: `first_weight` + `width` is at most the size of `morph_weights`;
// - `path` and `interpolation` are enumerators;
// - `times` and `values` are not null; there is a key; times are finite and do not descend;
// - `values` has `width` finite numbers for each key, three times as many with cubic splines.
//
// A `motion` moves nodes of the rig's skeleton and, in the rig's own node, morph targets of its
// mesh: match_clip makes it for this rig.
//
// Precondition: the rig is valid. Throws Error (kInput, RIG_INVALID) if it does not have a
// skeleton. Null pointers are not dereferenced. May be called by several threads at once.
void validate(const Clip& clip, const Rig& rig);

// ---- Humanoids: which node of a file is which bone of the human skeleton of VRM 1.0.

// The bones of one body and their nodes.
struct HumanoidMap {
  // Where the map is from: "vrm0", "vrm1" or "vrma" for the extension of a file, "file" for a map
  // that the user wrote, "names:mixamo" for a table of names, "structure" for the shape of the
  // hierarchy; "none": find_humanoid has not found one; empty: there is no map.
  std::string source;
  std::vector<HumanoidBone> bones;  // sorted by bone
};

// Which pose of a file counts as its T-pose.
enum class TPoseSource {
  kByMap,  // kRest for the map of a VRM file, which promises it; kAuto for others
  kAuto,   // the rest pose with every bone turned to the direction that it has in a T-pose
  kRest,   // the rest pose
  kClip,   // an instant of a clip of the file
};

struct TPoseChoice {
  TPoseSource source = TPoseSource::kByMap;
  std::string clip = {};  // kClip: its id
  double time_s = 0;

  bool operator==(const TPoseChoice&) const = default;
};

// Hip translation when a clip moves another character.
enum class RootMotion {
  kKeep,
  kInPlace,  // the hips stay above one point of the ground
  kNone,     // the hips stay where they rest
};

// The range of a muscle's angle, in degrees from the T-pose: -180 <= min_deg <= 0 <= max_deg <=
// 180.
struct MuscleRange {
  double min_deg = 0;  // flexion, forward, down, inward or to the left
  double max_deg = 0;  // extension, backward, up, outward or to the right
};

// Ranges by the names of muscles: "leftForearmTwist". Other muscles keep their own ranges.
using MuscleRanges = std::map<std::string, MuscleRange>;

// Maps the bones by the names of the nodes or, if no table of names finds all required bones, by
// the structure of the hierarchy. The map has all required bones, or it is empty. Thread-safe.
HumanoidMap find_humanoid(const Skeleton& skeleton);

// Returns the given map unless it is empty, else find_humanoid(skeleton). Throws Error (kInput,
// HUMANOID_REQUIRED) if no map is found. `file` is the file in the message. Thread-safe.
HumanoidMap required_humanoid(const HumanoidMap& given, const Skeleton& skeleton,
                              const std::string& file);

// The choice with the meaning of kByMap for a map. Thread-safe.
TPoseChoice resolved(const TPoseChoice& choice, const HumanoidMap& map);

// Finds faults of a map and of the rest pose of its bones. `file` is the file in the issues.
// Precondition: every node of the map is a node of the skeleton. Thread-safe.
Issues humanoid_findings(const Skeleton& skeleton, const HumanoidMap& map, const std::string& file);

// Returns the warning HUMANOID_SCALE of humanoid_findings, about negative scales of nodes that are
// above bones: the rotations of poses do not contain the scale, so the bones turn to other
// directions. Same precondition. Thread-safe.
Issues negative_scales(const Skeleton& skeleton, const HumanoidMap& map, const std::string& file);

// ---- Faces of VRM models: expressions, which are named weights of morph targets, and look-at, by
// which the eyes follow a direction.
//
// VRM Consortium. VRMC_vrm-1.0, "Expressions" and "LookAt". 2022.

// A morph target that an expression moves.
struct MorphBind {
  NodeIndex node = -1;  // a mesh node
  int target = 0;
  double weight = 1;  // added to the weight of the target by the expression at weight 1
};

// The effect of an expression on the expressions of one kind: none; their weights become 0 as soon
// as its weight is above 0; or their weights are reduced by its weight.
enum class ExpressionOverride { kNone, kBlock, kBlend };

struct Expression {
  std::string name;        // "happy", "blinkLeft", … of VRM 1.0, or a name that the author chose
  bool is_binary = false;  // the weight counts as 1 above 0.5, otherwise as 0
  // The effect on the expressions of the lids, the eyes and the mouth. None for its own kind.
  ExpressionOverride of_blink = ExpressionOverride::kNone;
  ExpressionOverride of_look = ExpressionOverride::kNone;
  ExpressionOverride of_mouth = ExpressionOverride::kNone;
  std::vector<MorphBind> binds;
};

// scale * min(|degrees|, most_deg) / most_deg: the rotation of an eye in degrees, or the weight of
// an expression.
struct LookRange {
  double most_deg = 90;
  double scale = 10;
  bool is_curved = false;  // VRM 0.x defines a curve, which is not evaluated
};

// Whether look-at rotates the bones of the eyes or drives the expressions lookUp, lookDown,
// lookLeft and lookRight.
enum class LookType { kBones, kExpressions };

struct LookAt {
  LookType type = LookType::kBones;
  LookRange inner, outer;  // towards the nose, and away from it
  LookRange down, up;
};

struct Face {
  std::vector<Expression> expressions;  // their names differ
  std::optional<LookAt> look_at;
};

// The nodes of a VRM animation that drive a face.
struct FaceNodes {
  struct Driver {
    std::string expression;
    NodeIndex node = -1;  // its translation along x is the weight
  };
  std::vector<Driver> expressions;
  // Its local rotation is the direction of the eyes: the third axis, relative to the head, whose
  // axes are the character's; -1: there is none.
  NodeIndex look_at = -1;
};

// ---- What `fit` adds to a rig and to its clips. Everything else of the file stays as it is.

// Morph targets after the targets of the mesh, with the rest positions to which they are relative.
struct AddedMorphs {
  // [vertex][axis] They replace the positions and normals of the mesh; empty: these stay.
  std::vector<float> base_positions, base_normals;
  std::vector<MorphTarget> targets;
  std::vector<std::string> names;   // [target]
  std::vector<float> rest_weights;  // [target] the weights of clips that do not animate them

  bool empty() const { return targets.empty(); }
};

// A joint that is appended to the joints of the rig. Its node is new too.
struct HelperJoint {
  std::string name;
  NodeIndex parent = -1;                        // of its node; -1: a root of the scene
  Affine<double> joint_from_model = kIdentity;  // the inverse bind matrix
  Rigid<double> rest{{1, 0, 0, 0}, {0, 0, 0}};  // parent_from_joint where no clip moves it
};

// The keys of one clip, with linear interpolation between them.
struct ClipKeys {
  const Clip* clip = nullptr;  // not null
  FrameRange frames;
  // The weights of the mesh's targets, then of the added ones; empty: none were added. Keys are at
  // the frames and where the clip moves targets of the mesh.
  std::vector<float> morph_times;                       // [key] seconds, ascending
  std::vector<float> morph_weights;                     // [key][target]
  std::vector<std::vector<float>> helper_rotations;     // [helper][frame][x y z w], unit length
  std::vector<std::vector<float>> helper_translations;  // [helper][frame][axis], metres
};

// The changes of one rig. The vectors of influences replace the vectors of the rig, in its form.
// Their joints may be helpers, which are numbered after the rig's joints.
struct RigChanges {
  const Rig* rig = nullptr;  // not null
  AddedMorphs morphs;
  std::vector<HelperJoint> helpers;
  std::vector<std::uint32_t> first_influence;  // [vertex + 1]; empty: the influences stay
  std::vector<Influence> influences;
  std::vector<ClipKeys> clips;
};

}  // namespace skinbake
