#include "golden/text.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "json/text.h"
#include "report/report_text.h"
#include "terminal/console.h"
#include "terminal/format.h"
#include "terminal/table.h"

namespace skinbake::cli {

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

std::string left_out_text(const std::vector<std::string>& names) {
  return names.empty() ? "" : "left out as rigs or clips: " + name_list(names) + "\n";
}

}  // namespace skinbake::cli
