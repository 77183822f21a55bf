// The caches of a bake: where they go, and what they hold.

#pragma once

#include <deque>

#include "bake_job.h"

namespace skinbake::cli {

// What can be seen to be wrong without the rig: unknown formats and placeholders.
void check_output_words(const BakeOptions& options);

// How many outputs keep normals, and how many tangents beside them.
std::size_t count_with_normals(const BakeOptions& options);
std::size_t count_with_tangents(const BakeOptions& options);

// What of a rig the caches ask for beside what moves.
void choose_extras(BakeOptions& options);

// Whether a cache of this path has all meshes of a clip, as its format may.
bool is_shared(const std::string& path);

// Why a path is not enough for all clips, and the remedy; or for all meshes and clips. Empty: it
// is, by placeholders.
std::string clip_ambiguity(const std::string& path, const Resolved& resolved);
std::string ambiguity(const std::string& path, const Resolved& resolved);

// Throws Error (kUsage) if one file is for several methods. `what`: "output".
void require_one_method(const std::string& what, const std::string& path, const Resolved& resolved);

// Throws Error (kUsage) if one file is for several meshes, clips or methods.
void require_unambiguous_outputs(const BakeOptions& options, const Resolved& resolved);

// Opens every cache of every job, so that a bad path fails before the first frame. Throws Error
// (kUsage) if two outputs are one file.
void open_caches(const BakeOptions& options, const Asset& asset, const Resolved& resolved,
                 std::deque<MeshJobs>& meshes);

}  // namespace skinbake::cli
