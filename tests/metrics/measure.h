// Runs shape metrics by their ids, and reads their results by keys.

#pragma once

#include <string_view>
#include <vector>

#include "metrics/shapes.h"

namespace skinbake::test {

// The input of a measurement.
struct Measured {
  const Rig* rig = nullptr;
  const Motion* motion = nullptr;
  const Clip* clip = nullptr;  // for metrics that use joints
  TileOrder order = TileOrder::kForward;
  const Motion* normals = nullptr;      // of every frame; null: the metric does not get normals
  Baseline baseline = Baseline::kBind;  // kBind or kFirstFrame
  std::int64_t first_frame = 0;         // of the motion, at 30 Hz
  const Points* baseline_points =
      nullptr;  // of kFirstFrame; null: those of the motion's first frame
};

MetricResult measure(std::string_view metric, const Measured& measured);

// The ids of all shape metrics.
std::vector<std::string_view> shape_metrics();

// The value of a key, or of a key within an object: "worst", "per_frame.max". Throws if the key
// does not exist or its value has another type.
double number(const MetricResult& result, std::string_view key);
std::int64_t count(const MetricResult& result, std::string_view key);
std::string text(const MetricResult& result, std::string_view key);
Place place(const MetricResult& result, std::string_view key);
std::vector<double> numbers(const MetricResult& result, std::string_view key);
std::vector<std::int64_t> counts(const MetricResult& result, std::string_view key);
std::vector<std::vector<SectionField>> objects(const MetricResult& result, std::string_view key);

// All numbers of a result with the names of their keys, in order.
struct NamedNumber {
  std::string name;
  double value;
};
std::vector<NamedNumber> all_numbers(const MetricResult& result);

}  // namespace skinbake::test
