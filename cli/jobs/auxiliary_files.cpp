#include "jobs/auxiliary_files.h"

#include <filesystem>
#include <map>
#include <set>

#include "json/text.h"

namespace skinbake::cli {

namespace {

constexpr const char* kNormals = "normals";

FormatOptions with_normals(const CacheHeader& header, bool has_normals) {
  FormatOptions options = header.options;
  options[kNormals] = has_normals ? "1" : "0";
  return options;
}

std::string plain(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().string();
}

// The files of the run, and the auxiliary files that it could have with other options.
struct AuxiliaryFiles {
  std::set<std::string> written;
  std::map<std::string, std::string> possible;  // the cache of each file

  void add(const JobCache& cache) {
    const std::string& path = cache.writer->path();
    written.insert(plain(path));
    if (!takes(cache_format_of(path), kNormals)) return;
    const auto option = cache.header.options.find(kNormals);
    const bool has_normals =
        cache.header.normals && option != cache.header.options.end() && option->second == "1";
    for (const std::string& beside :
         auxiliary_files_of(path, with_normals(cache.header, has_normals))) {
      written.insert(plain(beside));
    }
    const CacheFormat& format = cache_format_of(path);
    if (format.possible_auxiliary_files == nullptr) return;
    for (const std::string& beside : format.possible_auxiliary_files(path)) {
      possible.emplace(beside, path);
    }
  }
};

}  // namespace

std::vector<std::string> auxiliary_files_of(const std::string& path, const FormatOptions& options) {
  const CacheFormat& format = cache_format_of(path);
  return format.auxiliary_files == nullptr ? std::vector<std::string>{}
                                           : format.auxiliary_files(path, options);
}

Issues older_auxiliary_files(const std::deque<MeshJobs>& meshes) {
  AuxiliaryFiles auxiliary_files;
  for (const MeshJobs& mesh : meshes) {
    for (const Job& job : mesh.jobs) {
      for (const JobCache& cache : job.caches) auxiliary_files.add(cache);
    }
  }
  Issues older;
  for (const auto& [beside, cache] : auxiliary_files.possible) {
    std::error_code unknown;
    if (auxiliary_files.written.contains(plain(beside)) ||
        !std::filesystem::exists(beside, unknown)) {
      continue;
    }
    Issue issue;
    issue.code = "COMPANION_OLDER";
    issue.file = beside;
    issue.message = "is from an earlier bake; this bake does not write it beside " +
                    printable(cache) + "; remove it unless another program needs it";
    older.push_back(issue);
  }
  return older;
}

}  // namespace skinbake::cli
