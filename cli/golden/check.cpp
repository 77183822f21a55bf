#include "golden/check.h"

#include <filesystem>
#include <memory>

#include "diff/side.h"
#include "skinbake/compare.h"
#include "skinbake/error.h"
#include "terminal/console.h"

namespace skinbake::cli {

namespace {

// A golden does not say whether its rate is known. It is if a sidecar has named the method, or if
// the format tells it. Without a clip, one that states its space is of the rest pose; an older one
// may be of several clips.
StatedFrames frames_of(const Golden& golden) {
  StatedFrames stated{golden.frames};
  stated.is_exact = !golden.method.empty();
  const CacheFormat* const format = find_cache_format(golden.format);
  const bool tells_rate = format != nullptr && format->holds_times;
  const bool tells_numbers = format == nullptr || tells_rate || format->holds_numbers;
  stated.is_numbered = stated.is_exact || tells_numbers;
  if (!stated.is_exact && !tells_rate) stated.frames.fps = 0;
  stated.space = golden.space;
  stated.clips = golden.clips;
  if (stated.clips.empty() && (golden.space || !golden.clip.empty())) {
    const FrameRange& frames = golden.frames;
    stated.clips = {{golden.clip, frames.first_frame, frames.frame_step, frames.frame_count}};
  }
  return stated;
}

// Warns of a clip of another name, which may have been renamed. A limit must not pass on other
// frames that do not correspond.
void check_frames(const Golden& golden, const CacheReader& cache, bool has_limit) {
  const auto find = [&](bool is_verified) {
    return unlike_frames("the golden", frames_of(golden), cache.path(),
                         stated_frames(cache, is_verified));
  };
  if (find(false).empty()) return;  // the hash of a sidecar is checked only if its claims differ
  for (const Issue& issue : find(true)) {
    if (issue.code == "CLIP_OF_OTHER_NAME") {
      log_issues({issue}, {cache.path()});
    } else if (has_limit) {
      throw Error("NOT_COMPARABLE", issue.message + "; if that is meant, sign the cache again",
                  {cache.path(), ""});
    }
  }
}

}  // namespace

GoldenResult check_golden(const std::string& golden_path, const std::string& cache_path,
                          std::optional<double> limit_m) {
  const Golden golden = read_golden(golden_path);
  GoldenResult result;
  result.name = cache_path;
  result.mesh = golden.mesh;
  result.clip = golden.clip;
  result.all_blocks = static_cast<std::int64_t>(golden.blocks.size());
  result.sampled = static_cast<std::int64_t>(golden.sample.vertices.size());
  std::error_code unknown;
  if (!std::filesystem::exists(cache_path, unknown)) {
    if (claimed_hash(cache_path) == golden.xxh128) {
      result.difference.identical = result.difference.by_sidecar = true;
    } else {
      result.status = GoldenResult::Status::kMissing;
    }
    return result;
  }
  const std::unique_ptr<CacheReader> cache = open_cache(cache_path);
  require_comparable({"the golden", golden.vertex_count, golden.frames.frame_count},
                     {cache_path, cache->vertex_count(), cache->frame_count()});
  const GoldenDifference difference = compare_with_golden(golden, *cache);
  check_frames(golden, *cache, limit_m.has_value());
  judge(difference, limit_m, result);
  return result;
}

}  // namespace skinbake::cli
