// Reading glTF 2.0 files.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/error.h"
#include "skinbake/extras.h"
#include "skinbake/methods.h"
#include "skinbake/rig.h"

namespace skinbake {

// A file whose bytes were read.
struct InputFile {
  std::string role;  // "rig", "buffer", "clip", …
  std::string path;  // as typed if relative (with '/'), else the file name alone
  std::uint64_t bytes = 0;
  std::string xxh128;  // XXH3, 128 bits, 32 hex digits as `xxhsum -H128` prints them
};

// What `inspect` says of a scene.
struct SceneSummary {
  std::string name;  // empty: it has none
  std::int64_t mesh_nodes = 0;
  bool is_read = false;  // its mesh nodes are the asset's rigs
};

// What `inspect` says of a skin.
struct SkinSummary {
  std::string name;
  std::vector<NodeIndex> joints;
  bool has_inverse_bind_matrices = false;
};

// Everything that moves in a file.
struct Asset {
  std::string path;
  std::string generator;
  std::shared_ptr<const Skeleton> skeleton;
  std::vector<Rig> rigs;  // the scene's mesh nodes, by node index
  std::vector<Clip> clips;
  std::vector<SceneSummary> scenes;  // file order; empty: every node counts
  std::vector<SkinSummary> skins;
  std::vector<HumanoidBone> humanoid;  // empty: the file has no map; sorted by bone
  std::vector<std::string> extensions_used;
  std::vector<std::string> extensions_required;
  std::vector<InputFile> inputs;
  std::vector<std::string> files;             // the same files, as they can be opened from here
  std::shared_ptr<const AssetExtras> extras;  // null unless they were asked for
  Issues issues;
};

// How a file is read, and how far it is trusted.
struct LoadOptions {
  // Name or number; empty: the one that the file prefers, else the first.
  std::string scene = {};
  // Bytes that the file's declared counts may ask for, summed before anything is allocated.
  std::uint64_t max_memory = std::uint64_t{4} << 30;
  // Whether its buffers may be anywhere, not only in its folder and below.
  bool allow_outside = false;
  // Whether looks are read too: materials, images, texture coordinates, colours, indices.
  bool extras = false;
  // With extras: whether normals are kept where they go. If not, an issue says so.
  bool normals_are_kept = false;
  // Whether tangents are read, of meshes that have normals.
  bool tangents = false;
  // Then, with extras: whether they are kept where they go. If not, an issue says so.
  bool tangents_are_kept = false;
};

// Reads a .gltf, .glb or .vrm file with its buffers; images only if extras are asked for.
// Throws Error (kInput) if it cannot be read, breaks a rule that matters, asks for more memory than
// the options allow, or needs an extension that changes geometry and is not supported. Everything
// else that is wrong is an issue. Throws Error (kUsage) if the file has no such scene.
Asset load_asset(const std::string& path, const LoadOptions& options = {});

// Numbers for single joints, for the methods that take them (MethodInfo::takes_joint_parameters).
struct JointParametersFile {
  JointParameters joints;
  InputFile input;
};

// Reads {"child joint": {"r0": 0.1, "r1": 0.08, "s": 0.5}, …}: the distances from the joint of the
// bounds on its parent's bone and on its own, above 0, in units of bind space; s of sbs+, 0 … 1. A
// number that is not there is found. Throws Error (kInput) if the file cannot be read or says
// anything else, or if no mesh of the asset has such a joint below another one.
JointParametersFile load_joint_parameters(const std::string& path, const Asset& asset);

}  // namespace skinbake
