// Writes a rig with further clips, or with the changes of a fit: an ordinary skinned GLB, which
// engines play without skinbake.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "skinbake/clip.h"
#include "skinbake/gltf.h"

namespace skinbake {

// A clip that becomes an animation of the written file, with a key at each frame and, if the last
// frame of the clip is one of them, at its exact end.
struct AddedClip {
  const Clip* clip = nullptr;  // not null; moves nodes of the asset
  std::string name;            // if the file has an animation of this name, "_2", "_3" … is added
  FrameRange frames;
};

struct WrittenClip {
  std::string name;
  std::int64_t channels = 0, frames = 0;
  std::optional<double> end_s;  // the time of a key after the last frame
};

struct WrittenRig {
  std::vector<WrittenClip> clips;
  std::uint64_t bytes = 0;  // of the file
};

// Writes the asset's file as a GLB that also has the clips. Nodes, meshes, skins, materials,
// images, extensions and animations of the file stay as they are; buffers and images become parts
// of the file. Properties that never leave their rest do not get a channel. Nodes with a matrix
// that a clip moves get translation, rotation and scale instead. `progress` gets the number of
// sampled frames of all clips. The file is not committed. Precondition: the asset was loaded with
// LoadOptions::source. Throws Error (kInput): VALUE_NOT_FINITE if a key is not finite in float32,
// GLB_TOO_LARGE beyond 4 GiB; Error (kUsage, CACHE_TIMES_COLLIDE) if two frames have the same time
// in float32; and the errors of OutputFile.
WrittenRig write_rig(const Asset& asset, std::span<const AddedClip> clips, OutputFile& file,
                     const std::function<void(std::int64_t)>& progress = {});

// The names of the morph targets of a mesh node, which programs show: extras.targetNames of its
// mesh. Precondition: the asset was loaded with LoadOptions::source.
std::vector<std::string> target_names(const Asset& asset, NodeIndex node);

// How the changes are stored. Elements that the file already has stay as they are.
struct ChangeEncoding {
  // Correctives and influences are integers (KHR_mesh_quantization), where integers hold their
  // values: displacements that are multiples of 1 / 32767 up to 1, or whole numbers up to 32767,
  // and weights that are multiples of 1 / 65535. Other values are floats.
  bool quantize = false;
  // Vertices and keys are streams of EXT_meshopt_compression.
  bool meshopt = false;
};

struct WrittenChanges {
  std::uint64_t bytes = 0;        // of the file
  std::uint64_t added_bytes = 0;  // more than a GLB without the changes
};

// Writes the asset's file as a GLB with the changes of rigs, each of another mesh node. Everything
// else of the file stays as it is. The file is not committed. Preconditions: the asset was loaded
// with LoadOptions::source; it has the clips of the file. Throws Error: kInput,
// GLB_TOO_LARGE, beyond 4 GiB; kUsage, CACHE_TIMES_COLLIDE, if two frames of a clip have the same
// time in float32; and the errors of OutputFile.
WrittenChanges write_changed_rigs(const Asset& asset, std::span<const RigChanges> changes,
                                  const ChangeEncoding& encoding, OutputFile& file);

// The bytes that the changes would add to the file.
std::uint64_t bytes_of_changes(const Asset& asset, std::span<const RigChanges> changes,
                               const ChangeEncoding& encoding);

}  // namespace skinbake
