// Files, meshes and clips of two libraries that have another name in B, and equal data.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compare/library_pairs.h"
#include "report/report.h"
#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake::cli {

// Moves meshes that have no partner, but equal data, from `pairs` to `renamed`. `file`: that has
// them.
void find_renamed_meshes(const std::string& file, const std::vector<const Rig*>& a,
                         const std::vector<const Rig*>& b, NamePairs& pairs,
                         std::vector<RenamedElement>& renamed);

// The same for clips with equal channels. A null clip, the rest pose, has no name.
void find_renamed_clips(const std::string& file, const Skeleton& skeleton_a,
                        const std::vector<const Clip*>& a, const Skeleton& skeleton_b,
                        const std::vector<const Clip*>& b, NamePairs& pairs,
                        std::vector<RenamedElement>& renamed);

// The same for files with equal bytes, which are in `only_a` and `only_b` of `pairs`. A .gltf file
// with separate buffers is only a part of its rig, so it is not paired.
void find_renamed_files(std::span<const LibraryFile> a, std::span<const LibraryFile> b,
                        FilePairs& pairs, std::vector<RenamedElement>& renamed);

}  // namespace skinbake::cli
