#include "comparison/golden_check.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <tuple>

#include "comparison/stated_frames.h"
#include "json/text.h"
#include "options/usage_error.h"
#include "report/report_text.h"
#include "skinbake/compare.h"
#include "skinbake/error.h"
#include "terminal/console.h"
#include "terminal/format.h"

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

void require_golden_limits(const Thresholds& thresholds) {
  for (const Threshold& limit : thresholds.given) {
    const bool applies = limit.key() == "error.max" && limit.severity == CheckSeverity::kFail &&
                         !limit.is_relative && !limit.share && limit.method.empty();
    if (applies && thresholds.given.size() == 1) continue;
    throw UsageError("--" + std::string(to_string(limit.severity)),
                     "a golden has one limit, --fail error.max=LENGTH");
  }
}

std::string golden_path(const std::string& folder, const std::string& name) {
  return (std::filesystem::path(folder) / (name + kGoldenExtension)).string();
}

namespace {

using Status = GoldenResult::Status;

std::string sample_text(const GoldenResult& result) {
  const GoldenDifference& difference = result.difference;
  const std::string sample =
      "the sample of " + counted(static_cast<std::size_t>(result.sampled), "vertex", "vertices");
  if (!(difference.max_m > 0)) return sample + " is equal";
  if (difference.is_reordered) {
    return "the order of the vertices differs: " + sample +
           " is there in every frame, but at other "
           "indices";
  }
  const std::string change =
      std::isfinite(difference.max_m)
          ? fmt::format("{} differs by {:.6g} m at most", sample, difference.max_m)
          : "a position is not a number";
  std::string text =
      fmt::format("{}, frame {}, vertex {}", change, difference.frame, difference.vertex);
  if (!difference.joint.empty()) text += ", joint '" + printable(difference.joint) + "'";
  return text;
}

std::string blocks_text(const GoldenResult& result) {
  return fmt::format("{} of {} blocks of 16 frames differ, the first is block {}",
                     result.difference.blocks, result.all_blocks,
                     result.difference.first_block.value_or(0));
}

// "in 4 of them the change is outside the sample, …"
std::string unseen_text(const GoldenResult& result) {
  return fmt::format(
      "{} of {} blocks of 16 frames differ, and in {} of them the change is outside the sample, "
      "which is equal; diff the caches, or sign more vertices (--vertices)",
      result.difference.blocks, result.all_blocks, result.difference.unseen_blocks);
}

// The place of a status in the list: what tells least about the cache comes first.
int rank(Status status) {
  switch (status) {
    case Status::kFailed:
      return 0;
    case Status::kDiffers:
    case Status::kUnseen:
      return 1;
    case Status::kMissing:
      return 2;
    case Status::kNew:
      return 3;
    case Status::kRenamed:
      return 4;
    case Status::kWithin:
      return 5;
    case Status::kIdentical:
      break;
  }
  return 6;
}

}  // namespace

std::string golden_line(const GoldenResult& result, std::optional<double> limit_m) {
  switch (result.status) {
    case Status::kIdentical:
      return result.difference.by_sidecar ? "identical, by its sidecar" : "identical";
    case Status::kWithin:
      return fmt::format("within {:.6g} m on the sample: {}; {}", limit_m.value_or(0),
                         sample_text(result), blocks_text(result));
    case Status::kDiffers:
      return "differs: " + sample_text(result) + "; " + blocks_text(result);
    case Status::kUnseen:
      return "is not known to be within " + fmt::format("{:.6g} m: ", limit_m.value_or(0)) +
             unseen_text(result);
    case Status::kMissing:
      return "is missing";
    case Status::kNew:
      return "has no golden";
    case Status::kRenamed:
      return "is renamed from " + printable(result.renamed_from) +
             ", which is missing; sign it again";
    case Status::kFailed:
      break;
  }
  return printable(result.message);
}

std::string golden_results_text(std::vector<GoldenResult> results, std::optional<double> limit_m) {
  std::stable_sort(results.begin(), results.end(),
                   [](const GoldenResult& a, const GoldenResult& b) {
                     return std::tuple(rank(a.status), -a.difference.max_m) <
                            std::tuple(rank(b.status), -b.difference.max_m);
                   });
  constexpr std::size_t kShown = 20;
  std::string text;
  std::size_t shown = 0, identical = 0, within = 0, failed = 0;
  for (const GoldenResult& result : results) {
    identical += result.status == Status::kIdentical;
    within += result.status == Status::kWithin;
    failed += !result.passed();
    if (result.status == Status::kIdentical || ++shown > kShown) continue;
    text += printable(result.name) + ": " + golden_line(result, limit_m) + "\n";
  }
  if (shown > kShown) text += fmt::format("… and {} more\n", shown - kShown);
  text += fmt::format("{}: {} identical", counted(results.size(), "cache", "caches"), identical);
  if (limit_m) text += fmt::format(", {} within {:.6g} m on the sample", within, *limit_m);
  return text + fmt::format(", {} failed\n", failed);
}

void log_golden_results(std::span<const GoldenResult> results, std::optional<double> limit_m,
                        bool is_quiet) {
  std::int64_t blocks = 0, all_blocks = 0;
  std::size_t within = 0, failed = 0;
  const GoldenResult* first = nullptr;
  for (const GoldenResult& result : results) {
    if (result.status == Status::kWithin) {
      ++within;
      blocks += result.difference.blocks;
      all_blocks += result.all_blocks;
    }
    if (!result.passed() && ++failed == 1) first = &result;
  }
  if (within > 0) {
    log_warning(fmt::format(
        "{} {} not identical: {} of {} blocks of 16 frames differ, within {:.6g} m on the sample",
        counted(within, "cache", "caches"), within == 1 ? "is" : "are", blocks, all_blocks,
        limit_m.value_or(0)));
  }
  if (!is_quiet || first == nullptr) return;
  log_error(counted(failed, "cache fails", "caches fail") + "; " + printable(first->name) + ": " +
            golden_line(*first, limit_m));
}

}  // namespace skinbake::cli
