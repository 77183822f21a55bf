// Reading glTF 2.0 files: rigs, clips, clips of other files, and clips of humanoids that are made
// without an animation.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/error.h"
#include "skinbake/methods.h"
#include "skinbake/rig.h"

namespace skinbake {

struct SceneSummary {
  std::string name;             // may be empty
  std::int64_t mesh_nodes = 0;  // nodes with a mesh, in the whole hierarchy of the scene
  bool is_read = false;         // its mesh nodes are the asset's rigs
};

struct SkinSummary {
  std::string name;
  std::vector<NodeIndex> joints;
  bool has_inverse_bind_matrices = false;
};

// The names of the morph targets of mesh nodes: [target] extras.targetNames of the node's mesh. A
// node is left out unless its mesh names every target, each differently.
using MorphNames = std::map<NodeIndex, std::shared_ptr<const std::vector<std::string>>>;

struct SourceDocument;  // the whole file, for writing it again; internal
struct BakedDocument;   // the parts that a baked file keeps; internal

// The rigs and clips of a glTF file. One that violates glTF 2.0 is listed at its place with its
// error, `fault`, and is a warning (PART_NOT_READ) in `issues`: it stops only those who choose it.
struct Asset {
  std::string path;  // as the caller passed it
  std::string generator;
  std::shared_ptr<const Skeleton> skeleton;
  std::vector<Rig> rigs;  // the scene's mesh nodes, by node index
  std::vector<Clip> clips;
  std::vector<SceneSummary> scenes;  // file order; without scenes, all nodes are read
  std::vector<SkinSummary> skins;
  HumanoidMap humanoid;  // of a VRM file, otherwise empty
  Face face;             // of a VRM file, otherwise empty
  std::vector<std::string> extensions_used;
  std::vector<std::string> extensions_required;
  std::vector<InputFile> inputs;
  std::vector<std::string> files;  // paths of the inputs, relative to the working directory
  // Paths of files that the document names and load_asset did not read, such as textures.
  std::vector<std::string> unread_files;
  std::shared_ptr<const BakedDocument> appearance;  // null unless LoadOptions::materials is set
  std::shared_ptr<const SourceDocument> source;     // null unless LoadOptions::source is set
  Issues issues;
  MorphNames morph_names;
};

// The parts of a file that load_asset reads, and the trust in the file.
struct LoadOptions {
  // Name or index of a scene; empty: the file's default scene, else its first.
  std::string scene = {};
  // Allows buffers and images outside the file's folder. Set it only for a trusted file.
  bool allow_outside = false;
  // Reads materials, images, texture coordinates, colours and indices into Asset::appearance.
  bool materials = false;
  // With `materials`: the caller writes normals too. If false, an issue reports that the output
  // leaves them out.
  bool normals_are_kept = false;
  // Reads the tangents of meshes that have normals.
  bool tangents = false;
  // With `materials` and `tangents`: the caller writes tangents too. If false, an issue reports
  // that the output leaves them out.
  bool tangents_are_kept = false;
  // Keeps the whole file, with all buffers and images, in Asset::source.
  bool source = false;
};

// Reads a .gltf, .glb or .vrm file with its buffers, and with its images if options.materials is
// set. Every rig without a `fault` and the skeleton meet the conditions of `validate`. Less severe
// defects of the file become issues. Throws Error (kInput) if the file cannot be read, violates
// glTF 2.0 where all rigs and clips depend on it, or requires an unsupported extension that changes
// geometry. Throws Error (kUsage, SCENE_UNKNOWN) if the file does not have options.scene.
// Thread-safe.
Asset load_asset(const std::string& path, const LoadOptions& options = {});

// A humanoid map that a user wrote for a file.
struct HumanoidFile {
  HumanoidMap map;  // source "file"
  InputFile input;  // role "parameters"
};

// Reads {"hips": "pelvis", "leftUpperLeg": "#12", …}: bones of VRM 1.0 and names of nodes, or their
// indices. Throws Error (kInput, FILE_UNREADABLE, HUMANOID_FILE_INVALID) if the file cannot be read
// or has another form, if the skeleton does not have a node, or if two bones have one node.
// Thread-safe.
HumanoidFile load_humanoid_file(const std::string& path, const Skeleton& skeleton);

// Ranges of muscles that a user wrote.
struct MuscleRangesFile {
  MuscleRanges ranges;
  InputFile input;  // role "parameters"
};

// Reads {"leftForearmTwist": [-90, 90], …}: the least and the greatest angle in degrees, from -180
// to 180, with 0 between them. Throws Error (kInput, FILE_UNREADABLE, MUSCLE_RANGES_INVALID) if the
// file cannot be read, has another form, or names an unknown muscle. Thread-safe.
MuscleRangesFile load_muscle_ranges(const std::string& path);

// Parameters of single joints, for methods with MethodInfo::takes_joint_parameters.
struct JointParametersFile {
  JointParameters joints;
  InputFile input;
};

// Reads {"child joint": {"r0": 0.1, "r1": 0.08, "s": 0.5}, …}. r0 and r1 are the distances from the
// joint to the bounds on its parent's joint segment and on its own, greater than 0, in units of
// bind space; s is the parameter of sbs+, 0 … 1. The method computes a number that is absent.
// Throws Error (kInput, FILE_UNREADABLE, JOINT_PARAMETERS_INVALID) if the file cannot be read or
// has another form, and Error (kInput, JOINT_UNKNOWN) if no mesh of the asset has the joint, or if
// the joint does not have a parent joint. Thread-safe.
JointParametersFile load_joint_parameters(const std::string& path, const Asset& asset);

// ---- Clips of another file, matched with a rig by the names of nodes or as humanoids.

namespace gltf {
struct MatchIndex;
class MorphMatcher;  // internal
}  // namespace gltf

// The nodes and clips of a file; its meshes are not read.
struct ClipFile {
  std::string path;      // as the caller passed it
  std::string shown_as;  // the path in issues and reports, never absolute
  std::shared_ptr<const Skeleton> skeleton;
  std::vector<Clip> clips;  // their channels move nodes of `skeleton`
  HumanoidMap humanoid;     // of a VRM file or a VRM animation, otherwise empty
  FaceNodes face;           // of a VRM animation, otherwise empty
  std::vector<InputFile> inputs;
  std::vector<std::string> files;         // paths of the inputs, relative to the working directory
  std::vector<std::string> unread_files;  // as in Asset
  Issues issues;
  MorphNames morph_names;
};

// Reads the skeleton and the clips of a file. Clips have a `fault` and load_clip_file throws errors
// as with load_asset. Thread-safe.
ClipFile load_clip_file(const std::string& path, const LoadOptions& options = {});

// Pairs of nodes whose names differ. "#7" is the node of index 7 unless a node has this name.
struct NameMap {
  std::string path;                                 // as the caller passed it; empty: no map
  std::string shown_as;                             // the path in issues and reports
  std::map<std::string, std::string> clip_name_of;  // the rig's name to the clip's name
  std::vector<InputFile> inputs;                    // the map's file, with the role "parameters"
};

// Reads {"name in the rig": "name in the clip's file", …}.
// Throws Error (kInput, MAP_INVALID, FILE_UNREADABLE). Thread-safe.
NameMap load_name_map(const std::string& path);

// Replaces the matrices of nodes by translation, rotation and scale, so that clips of other files
// can move the nodes. A matrix with shear or a scale of zero stays. Call it before clips are
// matched with the asset.
void split_matrices(Asset& asset);

enum class RetargetMode {
  kAuto,      // by names if all names match and rest alike up to a unit, else as humanoids
  kHumanoid,  // as humanoids
  kNames,     // by names: relative to the rest poses if these differ by more than a unit
  kOff,       // by names: keys are copied unchanged, whatever the rest poses are
};

// How one character takes over the motion of another.
struct RetargetOptions {
  NameMap names = {};  // the map: pairs of nodes whose names differ
  RetargetMode mode = RetargetMode::kAuto;
  RootMotion root_motion = RootMotion::kKeep;
  bool mirror = false;                        // exchanges left and right
  TPoseChoice t_pose = {}, clip_t_pose = {};  // of the rig and of the clip's file

  // Whether an option applies to humanoids only.
  bool needs_humanoid() const {
    return mode == RetargetMode::kHumanoid || root_motion != RootMotion::kKeep || mirror;
  }
};

struct MatchedClip {
  Clip clip;                  // its channels move nodes of the rig's file
  bool moves_meshes = false;  // in the scene: a joint with weights, the node of a mesh without a
                              // skin, a node above them, or morph weights
  bool as_humanoids = false;  // whether nodes were matched as bones of humanoids, not by names
  Issues issues;              // nodes without a match, and matches that are uncertain
};

// Returns a clip of `file` for the nodes of `rig`. Each node of the clip moves, in this order of
// preference: the nodes of the rig that the map pairs with it, the node in the same place of the
// hierarchy if the name does not tell nodes apart, the node of the same name, the node whose name
// differs in case only (ASCII), which is an issue. Channels without a match are left out and
// reported as issues; the duration does not change.
//
// By names, keys are copied if the rest poses of the nodes agree: rotations within 0.1 degrees,
// translations within 1 % of the bone or 1e-3 of the rig, scales within 1 %. If one factor makes
// the translations agree, they are multiplied by it, with the info CLIP_UNIT. Otherwise, and if one
// of the files is not a humanoid, each node moves relative to its rest pose: it turns about the
// same axes of the scene, bones keep the lengths of the rig, and translations are multiplied by the
// ratio of the characters' heights; the warning REST_POSES_DIFFER lists the nodes.
//
// Morph weights are matched by the names of their targets, if both files name them all: targets of
// the rig that the clip does not name keep their rest weights, which is an issue. Otherwise the
// weights keep their order, and both meshes must have as many.
//
// Between humanoids, a bone of the rig turns as the same bone of the clip, from T-pose to T-pose.
// Names do not count: nodes that are not bones move only the nodes that the map pairs with them.
// The map cannot pair nodes of the rig that bones are below, which is an issue. Two files with maps
// of VRM are always matched as humanoids in the mode kAuto. If the file or the rig has an empty
// map, find_humanoid is called. Throws Error (kInput): HUMANOID_REQUIRED if an option needs a
// humanoid and a file is none, HUMANOID_INCOMPLETE or HUMANOID_NOT_FINITE if a map does not
// determine a T-pose; Error (kUsage, T_POSE_INVALID) for a wrong clip of a T-pose. Thread-safe.
MatchedClip match_clip(const ClipFile& file, const Clip& clip, const Asset& rig,
                       const RetargetOptions& options = {});

// Throws Error (kInput, MATRIX_SHEARED) if a clip of match_clip, range_of_motion or load_poses
// turns a bone of the rig that split_matrices leaves its matrix. The bone would stay at rest.
// Thread-safe.
void require_movable_bones(const Clip& clip, const Asset& rig);

// The same for several clips of a file, which share the T-poses of both skeletons, the index of
// their nodes, the face of the rig and keys of morph weights in another order.
class ClipMatcher {
 public:
  // The arguments must outlive the object. They must not change.
  ClipMatcher(const ClipFile& file, const Asset& rig, const RetargetOptions& options);
  ~ClipMatcher();
  ClipMatcher(const ClipMatcher&) = delete;
  ClipMatcher& operator=(const ClipMatcher&) = delete;

  // As match_clip. Not thread-safe.
  MatchedClip match(const Clip& clip);

 private:
  struct Humanoids;

  const ClipFile& file_;
  const Asset& rig_;
  const RetargetOptions& options_;
  std::unique_ptr<Humanoids> humanoids_;  // once they are needed
  std::unique_ptr<gltf::MatchIndex> index_;
  std::unique_ptr<gltf::MorphMatcher> morphs_;
};

// ---- Clips of humanoids that are made without an animation: their range of motion, and poses of a
// file.

// How a made clip moves a rig.
struct HumanClipOptions {
  TPoseChoice t_pose = {};  // of the rig
  MuscleRanges ranges = {};
};

// A clip, "rom" or "rom:arms", that moves every muscle of a part from the T-pose to both ends of
// its range, one second each way, and then through combined poses. An empty part is the whole body.
// Finds the humanoid map if the asset does not have one. Throws Error (kUsage, CLIP_UNKNOWN) if
// the part does not exist, and Error (kInput): HUMANOID_REQUIRED if the rig is not a humanoid,
// HUMANOID_INCOMPLETE or HUMANOID_NOT_FINITE if the map does not determine a T-pose,
// CLIP_MOVES_NOTHING if the rig does not have a bone that moves. Thread-safe.
Clip range_of_motion(const Asset& rig, std::string_view part, const HumanClipOptions& options = {});

struct PosesClip {
  Clip clip;        // its id is "poses:" and the name of the file
  InputFile input;  // role "parameters"
};

// A clip of the poses of a JSON file, which cli/README.md describes. A pose without a duration is
// shown for one frame at the rate `fps`. Throws the errors of range_of_motion, and Error (kInput,
// FILE_UNREADABLE, POSES_INVALID). Thread-safe.
PosesClip load_poses(const std::string& path, const Asset& rig, double fps,
                     const HumanClipOptions& options = {});

}  // namespace skinbake
