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

// Why a path is not enough for all meshes and clips, and the remedy. Empty: it is, by placeholders.
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
