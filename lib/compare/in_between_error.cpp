#include "skinbake/in_between.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <variant>

#include "metrics/shape/shape_metric.h"

namespace skinbake {

namespace {

std::unique_ptr<Metric> metric_of(const BakePlan& plan) {
  MetricInput input;
  input.rig = plan.rig;
  input.clip = plan.clip;
  input.frames = plan.frames;
  input.space = plan.space;
  return kInBetween.make(input);
}

}  // namespace

double in_between_error(BakePlan plan, const Method& method) {
  const std::unique_ptr<Metric> metric = metric_of(plan);
  const std::optional<FrameRange> frames = metric->next_frames();
  if (!frames) return 0;
  plan.frames = *frames;
  plan.runs = {{method, {metric.get()}}};
  plan.reference = {};
  bake(plan);
  const MetricResult result = metric->result();
  const auto max = std::find_if(result.fields.begin(), result.fields.end(),
                                [](const SectionField& field) { return field.key == "max"; });
  return std::get<double>(max->value);
}

}  // namespace skinbake
