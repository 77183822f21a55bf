#include "companions.h"

#include <filesystem>
#include <set>

#include "console.h"

namespace skinbake::cli {

namespace {

constexpr const char* kNormals = "normals";

FormatOptions with_normals(const CacheHeader& header, bool are_kept) {
  FormatOptions options = header.options;
  options[kNormals] = are_kept ? "1" : "0";
  return options;
}

std::string plain(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().string();
}

// What the run writes, and what it might have written with other options.
struct Companions {
  std::set<std::string> written;
  std::vector<std::pair<std::string, std::string>> possible;  // beside which cache

  void add(const JobCache& cache) {
    const std::string& path = cache.writer->path();
    written.insert(plain(path));
    if (!takes(cache_format_of(path), kNormals)) return;
    const auto asked = cache.header.options.find(kNormals);
    const bool are_kept =
        cache.header.normals && asked != cache.header.options.end() && asked->second == "1";
    for (const std::string& beside : companions_of(path, with_normals(cache.header, are_kept))) {
      written.insert(plain(beside));
    }
    for (const std::string& beside : companions_of(path, with_normals(cache.header, true))) {
      possible.emplace_back(beside, path);
    }
  }
};

}  // namespace

std::vector<std::string> companions_of(const std::string& path, const FormatOptions& options) {
  const CacheFormat& format = cache_format_of(path);
  return format.companions == nullptr ? std::vector<std::string>{}
                                      : format.companions(path, options);
}

Issues older_companions(const std::deque<MeshJobs>& meshes) {
  Companions companions;
  for (const MeshJobs& mesh : meshes) {
    for (const Job& job : mesh.jobs) {
      for (const JobCache& cache : job.caches) companions.add(cache);
    }
  }
  Issues older;
  for (const auto& [beside, cache] : companions.possible) {
    std::error_code unknown;
    if (companions.written.contains(plain(beside)) || !std::filesystem::exists(beside, unknown)) {
      continue;
    }
    Issue issue;
    issue.code = "COMPANION_OLDER";
    issue.file = beside;
    issue.message = "is from an earlier bake; this one writes none beside " + one_line(cache) +
                    ": remove it if nothing needs it";
    older.push_back(issue);
  }
  return older;
}

}  // namespace skinbake::cli
