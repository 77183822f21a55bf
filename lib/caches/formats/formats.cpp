// Every cache format, in the order shown to users, and the choice of one by a path's extension.

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file_name.h"
#include "base/files/output_file.h"
#include "base/nearest_word.h"
#include "caches/formats/format_list.h"
#include "skinbake/error.h"

namespace skinbake {

void CacheWriter::commit() {
  commit_together(files());
}

void CacheWriter::sync() {
  for (OutputFile* file : files()) file->sync();
}

std::span<const CacheFormat> cache_formats() {
  static const std::array kFormats{kPc2, kMdd, kNpy, kGlb, kUsda, kVat};
  return kFormats;
}

namespace {

// The format with the path's extension; null: none.
const CacheFormat* find_format(std::string_view path) {
  for (const CacheFormat& format : cache_formats()) {
    for (const std::string_view extension : {format.extension, format.other_extension}) {
      if (!extension.empty() && has_extension(path, extension)) return &format;
    }
  }
  return nullptr;
}

// The extensions of caches, and the one that `path` may have meant.
std::string extensions(bool only_readable, const std::string& path) {
  std::string known;
  std::vector<std::string> words;
  for (const CacheFormat& format : cache_formats()) {
    if (only_readable && format.read == nullptr) continue;
    for (const std::string_view extension : {format.extension, format.other_extension}) {
      if (extension.empty()) continue;
      known += (known.empty() ? "" : ", ") + std::string(extension);
      words.emplace_back(extension);
    }
  }
  return known + did_you_mean(std::filesystem::path(path).extension().string(), words);
}

}  // namespace

const CacheFormat& cache_format_of(const std::string& path) {
  if (const CacheFormat* format = find_format(path)) return *format;
  throw Error(ErrorKind::kUsage, "FORMAT_UNKNOWN",
              "output '" + path +
                  "': the extension picks the format; there are: " + extensions(false, path));
}

std::unique_ptr<CacheReader> open_cache(const std::string& path, const std::string& mesh,
                                        std::uint64_t max_memory) {
  const CacheFormat* format = find_format(path);
  if (format != nullptr && format->read != nullptr) return format->read(path, mesh, max_memory);
  throw Error(ErrorKind::kInput, "CACHE_UNSUPPORTED",
              "caches with this extension cannot be read; readable are: " + extensions(true, path),
              {path, ""});
}

}  // namespace skinbake
