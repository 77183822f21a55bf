// Metrics of the shape by their ids, and what they say by its keys.

#pragma once

#include <string_view>
#include <vector>

#include "metrics/shapes.h"

namespace skinbake::test {

// What is measured, and how.
struct Measured {
  const Rig* rig = nullptr;
  const Motion* motion = nullptr;
  const Clip* clip = nullptr;  // of metrics that ask where joints are
  TileOrder order = TileOrder::kForward;
  const Motion* normals = nullptr;  // of every frame, for metrics that read them
};

// At the bind baseline.
MetricResult measure(std::string_view metric, const Measured& what);

// Every metric that has a maker.
std::vector<std::string_view> shape_metrics();

// The value of a key, or of the key of an object: "worst", "per_frame.max". Throws if there is none
// or it is of another type.
double number(const MetricResult& result, std::string_view key);
std::int64_t count(const MetricResult& result, std::string_view key);
std::string text(const MetricResult& result, std::string_view key);
Place place(const MetricResult& result, std::string_view key);
std::vector<double> numbers(const MetricResult& result, std::string_view key);
std::vector<std::int64_t> counts(const MetricResult& result, std::string_view key);
std::vector<std::vector<MetricField>> objects(const MetricResult& result, std::string_view key);

// Every number of a result, in its order, with the names of their keys.
struct NamedNumber {
  std::string name;
  double value;
};
std::vector<NamedNumber> all_numbers(const MetricResult& result);

}  // namespace skinbake::test
