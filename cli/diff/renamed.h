// Files of two libraries, and which of them were renamed.

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

// ---- The files of a library: a folder, or the outputs of a manifest.

// Whether the path names a manifest; a library: a folder or a manifest.
bool is_manifest(const std::string& path);
bool is_library(const std::string& path);

// Whether a path is a folder with reports.
bool has_reports(const std::string& path);

// The caches and rigs of a library, sorted by name. Files beside caches, such as sidecars, are left
// out. Of a manifest, those of its tasks' outputs that exist. Throws Error (kInput).
std::vector<LibraryFile> library_files(const std::string& path);

// ---- Files, meshes and clips that have another name in B, and equal data.

// Moves meshes that have no partner, but equal data, from `pairs` to `renamed`. `file`: that has
// them.
void find_renamed_meshes(const std::string& file, const std::vector<const Rig*>& a,
                         const std::vector<const Rig*>& b, NamePairs& pairs,
                         std::vector<RenamedElement>& renamed);

// The same of clips with equal channels. A null clip, the rest pose, has no name.
void find_renamed_clips(const std::string& file, const Skeleton& skeleton_a,
                        const std::vector<const Clip*>& a, const Skeleton& skeleton_b,
                        const std::vector<const Clip*>& b, NamePairs& pairs,
                        std::vector<RenamedElement>& renamed);

// The same of files with equal bytes, which are in `only_a` and `only_b` of `pairs`. A glTF file
// with buffers of its own is not all of its rig, so it is no renamed file.
void find_renamed_files(std::span<const LibraryFile> a, std::span<const LibraryFile> b,
                        FilePairs& pairs, std::vector<RenamedElement>& renamed);

}  // namespace skinbake::cli
