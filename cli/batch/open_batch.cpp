#include "batch/open_batch.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "options/parsing/usage_error.h"
#include "skinbake/memory.h"

namespace skinbake::cli {

namespace {

// A manifest of a million jobs has a few hundred MiB.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

// Refuses a manifest by its size. A text that grows needs up to twice its bytes.
void require_size(const std::string& path, std::uint64_t bytes, std::uint64_t max_memory) {
  if (bytes > kMostBytes) {
    throw Error(ErrorKind::kInput, "MANIFEST_INVALID", "is larger than 1 GiB; split the manifest",
                {path, ""});
  }
  if (2 * bytes <= max_memory) return;
  throw Error(ErrorKind::kInput, "MEMORY_LIMIT",
              "its text needs " + more_than_limit(2 * bytes, max_memory) +
                  "; split the manifest, or " + raised_limit(2 * bytes),
              {path, ""});
}

// The bytes of the rest of a stream, until there are more than a manifest may have.
std::uint64_t bytes_left(std::istream& stream, std::string& chunk) {
  std::uint64_t bytes = 0;
  while (stream && bytes <= kMostBytes) {
    stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    bytes += static_cast<std::uint64_t>(stream.gcount());
  }
  return bytes;
}

std::string read_manifest(const std::string& path, std::uint64_t max_memory) {
  std::error_code unknown;
  // Opening a pipe without a writer would wait.
  const std::filesystem::file_status status = std::filesystem::status(path, unknown);
  const bool is_folder = std::filesystem::is_directory(status);
  if (path != "-" && (is_folder || std::filesystem::is_fifo(status))) {
    throw Error(ErrorKind::kInput, "FILE_UNREADABLE",
                std::string(is_folder ? "is a folder; name a manifest"
                                      : "is not a regular file; name one, or '-' to read standard "
                                        "input"),
                {path, ""});
  }
  const std::uintmax_t size = path == "-" ? 0 : std::filesystem::file_size(path, unknown);
  if (!unknown) require_size(path, size, max_memory);
  const std::uint64_t most_bytes = std::min(kMostBytes, max_memory / 2);
  std::string text;
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& stream = path == "-" ? std::cin : file;
  std::string chunk(std::size_t{1} << 20, '\0');
  while (stream && text.size() <= most_bytes) {
    stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk, 0, static_cast<std::size_t>(stream.gcount()));
  }
  if (path != "-" && !file.is_open()) {
    throw Error(ErrorKind::kInput, "FILE_UNREADABLE", "cannot be read; name a manifest",
                {path, ""});
  }
  if (text.size() > most_bytes) {
    require_size(path, text.size() + bytes_left(stream, chunk), max_memory);
  }
  return text;
}

// Throws if no command takes several values of the key.
void require_list(const Setting& first, const Setting& second,
                  const std::vector<ManifestCommand>& commands) {
  const bool takes_list =
      std::any_of(commands.begin(), commands.end(), [&](const ManifestCommand& command) {
        const ManifestKey* const key = command.find(first.key);
        return key != nullptr && (key->is_flag || key->takes_list());
      });
  if (takes_list) return;
  throw UsageError("--set", "'" + first.key + "' takes one value and is given twice, as '" +
                                first.values.front() + "' and '" + second.values.front() +
                                "'; leave one out");
}

std::vector<Setting> overrides_of(const std::vector<std::string>& set,
                                  const std::vector<ManifestCommand>& commands) {
  std::vector<Setting> overrides;
  for (const std::string& text : set) {
    Setting setting;
    try {
      setting = parse_setting(text, commands);
    } catch (const Error& error) {
      throw UsageError("--set", error.what());
    }
    const auto known = std::find_if(overrides.begin(), overrides.end(),
                                    [&](const Setting& other) { return other.key == setting.key; });
    if (known == overrides.end()) {
      overrides.push_back(std::move(setting));
    } else if (known->is_removed || setting.is_removed) {
      *known = std::move(setting);
    } else {
      require_list(*known, setting, commands);
      known->values.insert(known->values.end(), setting.values.begin(), setting.values.end());
    }
  }
  return overrides;
}

}  // namespace

void make_absolute(std::string& path) {
  if (path.empty() || path == "-") return;
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  if (!error) path = absolute.string();
}

void make_absolute(BatchPages& pages) {
  for (std::string* path : {&pages.summary, &pages.junit, &pages.markdown, &pages.html})
    make_absolute(*path);
}

void open_batch(const std::string& path, const std::vector<std::string>& set,
                const std::vector<std::string>& only, std::uint64_t max_memory, Batch& batch) {
  const std::string text = read_manifest(path, max_memory);
  const std::string name = path == "-" ? "standard input" : path;
  batch.manifest = parse_manifest(text, name, batch.commands, max_memory);
  const std::vector<Setting> overrides = overrides_of(set, batch.commands);
  if (path != "-") batch.folder = std::filesystem::path(path).parent_path().string();
  if (!batch.folder.empty() && ::chdir(batch.folder.c_str()) != 0) {
    throw Error(ErrorKind::kInput, "FILE_UNREADABLE",
                "the folder of the manifest cannot be entered; check its permissions",
                {batch.folder, ""});
  }
  batch.plan.emplace(batch.manifest, batch.commands, overrides, only);
}

void require_tasks(const Batch& batch) {
  if (!batch.plan->tasks().empty()) return;
  throw Error(ErrorKind::kInput, "MANIFEST_INVALID",
              "has no task, so that nothing would be done; add a job, or look at what the script "
              "that wrote the manifest has found",
              {batch.manifest.path, "/jobs"});
}

}  // namespace skinbake::cli
