// The metrics of the shape, for the list in metrics.cpp. Adding one: declare it, list it.

#pragma once

#include <memory>

#include "metrics/shape_metric.h"

namespace skinbake {

std::unique_ptr<Metric> make_edge_stretch(const MetricInput& input);
std::unique_ptr<Metric> make_triangle_distortion(const MetricInput& input);
std::unique_ptr<Metric> make_dihedral(const MetricInput& input);
std::unique_ptr<Metric> make_normal_deviation(const MetricInput& input);
std::unique_ptr<Metric> make_inversions(const MetricInput& input);
std::unique_ptr<Metric> make_candy_wrapper(const MetricInput& input);
std::unique_ptr<Metric> make_bulge(const MetricInput& input);
std::unique_ptr<Metric> make_self_intersection(const MetricInput& input);
std::unique_ptr<Metric> make_in_between(const MetricInput& input);

}  // namespace skinbake
