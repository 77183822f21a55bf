// The results of the check of goldens.

#include <array>
#include <cmath>

#include "batch/goldens/golden.h"
#include "json/json_writer.h"
#include "skinbake/version.h"

namespace skinbake {

std::string_view to_string(GoldenResult::Status status) {
  constexpr std::array<std::string_view, 8> kWords{"identical", "within", "differs", "unseen",
                                                   "missing",   "new",    "renamed", "failed"};
  return kWords[static_cast<std::size_t>(status)];
}

void judge(const GoldenDifference& difference, std::optional<double> limit_m,
           GoldenResult& result) {
  using enum GoldenResult::Status;
  result.difference = difference;
  const bool is_within = limit_m && difference.max_m <= *limit_m;
  result.status = difference.identical           ? kIdentical
                  : !is_within                   ? kDiffers
                  : difference.unseen_blocks > 0 ? kUnseen
                                                 : kWithin;
}

std::string golden_results_json(std::span<const GoldenResult> results) {
  JsonWriter writer;
  writer.begin_object();
  writer.key("schema").value("skinbake.golden.check").key("schema_version").value("1.0");
  writer.key("tool").begin_line_object().key("name").value("skinbake");
  writer.key("version").value(version()).end_object();
  writer.key("results").begin_array();
  for (const GoldenResult& result : results) {
    writer.begin_object().key("name").value(result.name);
    writer.key("mesh").value(result.mesh).key("clip").value(result.clip);
    writer.key("status").value(to_string(result.status)).key("passed").value(result.passed());
    if (!result.renamed_from.empty()) writer.key("renamed_from").value(result.renamed_from);
    if (!result.message.empty()) writer.key("message").value(result.message);
    if (result.is_compared()) {
      const GoldenDifference& difference = result.difference;
      writer.key("blocks").value(result.all_blocks);
      writer.key("blocks_that_differ").value(difference.blocks);
      writer.key("first_block").value(difference.first_block);
      writer.key("blocks_outside_sample").value(difference.unseen_blocks);
      writer.key("order_differs").value(difference.is_reordered);
      writer.key("sampled_vertices").value(result.sampled);
      writer.key("sample").begin_line_object().key("unit").value("m").key("max");
      std::isfinite(difference.max_m) ? writer.value(difference.max_m) : writer.null();
      if (difference.max_m > 0) {
        writer.key("frame").value(difference.frame).key("vertex").value(difference.vertex);
        if (!difference.joint.empty() && !difference.is_reordered)
          writer.key("joint").value(difference.joint);
      }
      writer.end_object();
    }
    if (result.status == GoldenResult::Status::kIdentical) {
      writer.key("by_sidecar").value(result.difference.by_sidecar);
    }
    writer.end_object();
  }
  writer.end_array().end_object();
  return writer.take();
}

}  // namespace skinbake
