// The kinds of input files by their extensions, in any case of letters.

#pragma once

#include <string>

namespace skinbake::cli {

bool is_rig_file(const std::string& path);        // .gltf, .glb, .vrm
bool is_binary_gltf(const std::string& path);     // .glb, .vrm
bool is_animation_file(const std::string& path);  // a rig file or .vrma
bool is_report_file(const std::string& path);     // .json
bool is_array_file(const std::string& path);      // .npy

// Whether the file is a rig that is evaluated: a rig file other than a baked GLB, which is a cache.
bool is_evaluated(const std::string& path);

// Whether --reference names a cache: "golden.{clip}.pc2".
bool names_cache(const std::string& reference);

}  // namespace skinbake::cli
