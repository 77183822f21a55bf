// The caches of a bake: their paths, headers and writers.

#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "jobs/bake_job.h"

namespace skinbake::cli {

// Checks the outputs as far as they do not depend on the rig: formats, their options and
// placeholders. Throws Error and UsageError.
void check_output_words(const BakeOptions& options);

// Sets the load options for the materials, normals and tangents that the outputs store.
void choose_materials(BakeOptions& options);

// Whether the cache at this path contains all meshes of a clip, and whether it contains all clips.
bool is_shared(const std::string& path);
bool holds_all_clips(const std::string& path);

// Why a path is ambiguous, and the remedy. mesh_ambiguity, clip_ambiguity: several meshes, or
// clips, have the path; ambiguity: either. Empty if placeholders distinguish them.
std::string mesh_ambiguity(const std::string& path, const ResolvedOptions& resolved);
std::string clip_ambiguity(const std::string& path, const ResolvedOptions& resolved);
std::string ambiguity(const std::string& path, const ResolvedOptions& resolved);

// Throws Error (kUsage, `code`) if two meshes, or two clips, give the same file name for a
// placeholder of the patterns.
void require_distinct_names(const std::vector<std::string>& patterns, const std::string& code,
                            const BakeOptions& options, const ResolvedOptions& resolved);

// Throws Error (kUsage) if several methods have the same path. `what`: "output".
void require_one_method(const std::string& what, const std::string& path,
                        const ResolvedOptions& resolved);

// Throws Error (kUsage) if several meshes, clips or methods have the same path.
void require_unambiguous_outputs(const BakeOptions& options, const ResolvedOptions& resolved);

// Opens every cache of every job, so that an invalid path fails before the first frame. Throws
// Error (kUsage) if two outputs have the same path.
void open_caches(const BakeOptions& options, const Asset& asset, const ResolvedOptions& resolved,
                 std::deque<MeshJobs>& meshes);

}  // namespace skinbake::cli
