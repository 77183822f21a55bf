#include "sidecar_text.h"

#include <charconv>
#include <filesystem>
#include <fstream>

#include "output_paths.h"

namespace skinbake::cli {

namespace {

constexpr std::size_t kMostRead = 1 << 20;

}  // namespace

std::optional<std::string> sidecar_text(const CacheReader& cache) {
  const std::string path = cache.path() + ".json";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  std::string text(kMostRead, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

// As sidecars of ours are written; others say nothing.
std::optional<FrameKind> claimed_kind(const CacheReader& cache) {
  const std::optional<std::string> text = sidecar_text(cache);
  if (!text) return {};
  constexpr std::string_view kFps = "\"fps\": ";
  const std::size_t at = text->find(kFps);
  if (at == std::string::npos) return {};
  FrameKind kind;
  const char* const number = text->data() + at + kFps.size();
  if (std::from_chars(number, text->data() + text->size(), kind.fps).ec != std::errc{}) return {};
  const bool is_mesh = text->find("\"space\": \"mesh\"") != std::string::npos;
  kind.space = is_mesh ? Space::kMesh : Space::kScene;
  return kind;
}

Issues ignored_sidecar(const CacheReader& cache) {
  const std::string path = cache.path() + ".json";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored) || cache.origin()) return {};
  Issue issue;
  issue.code = "SIDECAR_IGNORED";
  issue.severity = Severity::kWarning;
  issue.file = shown(path);
  issue.message = "not the sidecar of this cache as it is now; it is ignored";
  return {issue};
}

}  // namespace skinbake::cli
