// The files of a library: a folder, or the outputs of a manifest.

#pragma once

#include <string>
#include <vector>

#include "compare/library_pairs.h"

namespace skinbake::cli {

// Whether the path names a manifest; a library: a folder or a manifest.
bool is_manifest(const std::string& path);
bool is_library(const std::string& path);

// Whether a path is a folder with reports.
bool has_reports(const std::string& path);

// The caches and rigs of a library, sorted by name. Files beside caches, such as sidecars, are left
// out. Of a manifest, the outputs of its tasks that exist. Throws Error (kInput).
std::vector<LibraryFile> library_files(const std::string& path);

}  // namespace skinbake::cli
