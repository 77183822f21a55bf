// Differences of frames, and of frames between frames.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "skinbake/bake.h"
#include "skinbake/compare.h"
#include "skinbake/error.h"
#include "skinbake/frames.h"

namespace skinbake {

namespace {

// The result of measuring identical frames, without the numbers per frame and vertex.
Difference no_difference(const DiffPlan& plan) {
  Difference same;
  same.identical = true;
  same.error.max_at = {0, 0};
  for (const double limit : plan.limits_m) same.error.over.push_back({limit, 0, 0, 0, {}});
  return same;
}

std::array<double, 3> position_at(const FrameSource& source, const Place& at,
                                  std::vector<float>& row) {
  source.read(at.frame, 1, row.data());
  const float* p = row.data() + static_cast<std::size_t>(at.vertex) * 3;
  return {p[0], p[1], p[2]};
}

}  // namespace

void require_comparable(const FrameCounts& a, const FrameCounts& b, const std::string& remedy) {
  const auto require = [&](std::int64_t FrameCounts::*count, const char* what) {
    if (a.*count == b.*count) return;
    throw Error("NOT_COMPARABLE", "not comparable: " + a.name + " has " + std::to_string(a.*count) +
                                      " " + what + ", " + b.name + " has " +
                                      std::to_string(b.*count) + remedy);
  };
  require(&FrameCounts::vertices, "vertices");
  require(&FrameCounts::frames, "frames");
}

Difference difference_of(const DiffPlan& plan) {
  const bool identical = are_identical(*plan.a, *plan.b, plan.threads, plan.cancelled);
  if (identical && !plan.details && !plan.take_row) return no_difference(plan);
  std::vector<double> limits{plan.equal_m};  // counts the vertices that differ
  limits.insert(limits.end(), plan.limits_m.begin(), plan.limits_m.end());
  const auto metric =
      measure_position_error(*plan.rig, plan.frames, plan.bbox_diagonal_m, {limits, plan.take_row});
  stream_frames({plan.b, plan.a, {metric.get()}, plan.threads, plan.progress, plan.cancelled});

  Difference result;
  result.error = metric->result();
  result.identical = identical;
  result.vertices = result.error.over.front().vertices;
  result.frames = result.error.over.front().frames;
  result.error.over.erase(result.error.over.begin());
  std::vector<float> row(static_cast<std::size_t>(plan.a->vertex_count()) * 3);
  result.a_at_max = position_at(*plan.a, result.error.max_at, row);
  result.b_at_max = position_at(*plan.b, result.error.max_at, row);
  return result;
}

Rig rig_of_first_frame(const FrameSource& source, const std::string& id,
                       std::vector<Primitive> primitives) {
  auto mesh = std::make_shared<Mesh>();
  mesh->positions.resize(static_cast<std::size_t>(source.vertex_count()) * 3);
  source.read(0, 1, mesh->positions.data());
  mesh->primitives = std::move(primitives);
  if (mesh->primitives.empty()) mesh->primitives.push_back({0, mesh->vertex_count()});
  Rig rig;
  rig.id = id;
  rig.node = -1;
  rig.mesh = std::move(mesh);
  return rig;
}

double bbox_diagonal(const Rig& rig) {
  const std::vector<float>& positions = rig.mesh->positions;
  double squares = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    for (std::size_t i = axis; i < positions.size(); i += 3) {
      lowest = std::min<double>(lowest, positions[i]);
      highest = std::max<double>(highest, positions[i]);
    }
    squares += (highest - lowest) * (highest - lowest);
  }
  return std::sqrt(squares);
}

}  // namespace skinbake
