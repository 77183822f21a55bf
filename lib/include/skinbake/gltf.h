// Reading glTF 2.0 files.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/error.h"
#include "skinbake/face.h"
#include "skinbake/humanoid.h"
#include "skinbake/input_file.h"
#include "skinbake/methods.h"
#include "skinbake/rig.h"

namespace skinbake {

// A scene of a file.
struct SceneSummary {
  std::string name;             // may be empty
  std::int64_t mesh_nodes = 0;  // nodes with a mesh, in the whole hierarchy of the scene
  bool is_read = false;         // its mesh nodes are the asset's rigs
};

// A skin of a file.
struct SkinSummary {
  std::string name;
  std::vector<NodeIndex> joints;
  bool has_inverse_bind_matrices = false;
};

// The names of the morph targets of mesh nodes: [target] extras.targetNames of the node's mesh. A
// node is left out unless its mesh names every target, each differently.
using MorphNames = std::map<NodeIndex, std::shared_ptr<const std::vector<std::string>>>;

struct SourceDocument;  // the whole file, for writing it again; internal
struct BakedDocument;   // what a baked file keeps of it; internal

// The rigs and clips of a glTF file.
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
// set. Every rig and skeleton meets the conditions of validate.h. Less severe defects of the file
// become issues. Throws Error (kInput) if the file cannot be read, violates glTF 2.0 where the
// result depends on it, or requires an unsupported extension
// that changes geometry. Throws Error (kUsage, SCENE_UNKNOWN) if the file does not have
// options.scene. Thread-safe.
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

}  // namespace skinbake
