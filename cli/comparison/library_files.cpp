#include "comparison/library_files.h"

#include <algorithm>
#include <filesystem>

#include "base/paths.h"
#include "base/random_access_file.h"
#include "commands.h"
#include "options/file_kinds.h"
#include "options/usage_error.h"
#include "skinbake/caches.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

namespace {

// Whether a file beside a cache of this name is a part of it: "run.exr.glb" of "run.exr".
bool is_part_of_cache(const std::string& path) {
  const std::string of = path.substr(0, path.rfind('.'));
  return of != path && names_cache(of) && is_regular_file(of);
}

// Images and arrays are caches only if a sidecar says so: a library also has textures.
bool needs_sidecar(const std::string& path) {
  return has_extension(path, ".exr") || has_extension(path, ".png") || has_extension(path, ".npy");
}

bool is_element(const std::string& path) {
  if (is_part_of_cache(path)) return false;
  if (is_rig_file(path)) return true;
  return names_cache(path) && (!needs_sidecar(path) || is_regular_file(path + ".json"));
}

std::vector<LibraryFile> files_of_manifest(const std::string& path) {
  if (task_context() != nullptr) {
    throw UsageError(path, "is a manifest, which a task of a batch cannot compare");
  }
  const std::string folder = std::filesystem::path(path).parent_path().string();
  std::vector<LibraryFile> files;
  for (const PlannedOutput& output : planned_outputs(path)) {
    const std::filesystem::path full = std::filesystem::path(folder) / output.path;
    files.push_back({std::filesystem::path(output.path).lexically_normal().generic_string(), full});
  }
  return files;
}

}  // namespace

namespace {

// Whether a JSON file names a schema, "skinbake.batch", within its first bytes.
bool has_schema(const std::string& path, const std::string& schema) {
  return is_report_file(path) && head_of_file(path).find("\"" + schema + "\"") != std::string::npos;
}

}  // namespace

bool is_manifest(const std::string& path) {
  return has_schema(path, "skinbake.batch");
}

bool has_reports(const std::string& path) {
  if (!is_folder(path)) return false;
  const std::vector<LibraryFile> files = files_in_library(path);
  return std::any_of(files.begin(), files.end(), [](const LibraryFile& file) {
    return has_schema(file.path, "skinbake.report");
  });
}

bool is_library(const std::string& path) {
  return is_folder(path) || is_manifest(path);
}

std::vector<LibraryFile> library_files(const std::string& path) {
  std::vector<LibraryFile> files =
      is_folder(path) ? files_in_library(path) : files_of_manifest(path);
  std::erase_if(files, [](const LibraryFile& file) {
    return !is_element(file.path) || !is_regular_file(file.path);
  });
  std::sort(files.begin(), files.end(),
            [](const LibraryFile& x, const LibraryFile& y) { return x.name < y.name; });
  files.erase(
      std::unique(files.begin(), files.end(),
                  [](const LibraryFile& x, const LibraryFile& y) { return x.name == y.name; }),
      files.end());
  return files;
}

}  // namespace skinbake::cli
