// How differently two points are weighted, with the joints of both surfaces as one set.

#pragma once

#include <algorithm>
#include <vector>

#include "compare/surface/surfaces.h"

namespace skinbake {

// 1 - sum over joints j of min(a_j, b_j): 0 for equal weights, 1 without a common joint. Half the
// sum of |a_j - b_j|, because weights sum to 1. One object per thread.
class WeightDifference {
 public:
  explicit WeightDifference(std::uint32_t joint_id_count)
      : own_(joint_id_count, 0), other_(joint_id_count, 0) {}

  // The point with which `of` compares.
  void set(const BindSurface& surface, const SurfacePoint& point) {
    for (const std::uint32_t id : own_ids_) own_[id] = 0;
    own_ids_.clear();
    add(surface, point, own_, own_ids_);
  }

  double of(const BindSurface& surface, const SurfacePoint& point) {
    add(surface, point, other_, other_ids_);
    double common = 0;
    for (const std::uint32_t id : other_ids_) {
      common += std::min(own_[id], other_[id]);
      other_[id] = 0;  // an id may be listed twice
    }
    other_ids_.clear();
    return 1 - common;
  }

 private:
  static void add(const BindSurface& surface, const SurfacePoint& point, std::vector<double>& sums,
                  std::vector<std::uint32_t>& ids) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (point.weights[i] == 0) continue;
      for (const Influence& influence : surface.influences_of(point.corners[i])) {
        const std::uint32_t id = surface.joint_ids[influence.joint];
        sums[id] += point.weights[i] * influence.weight;
        ids.push_back(id);
      }
    }
  }

  std::vector<double> own_, other_;  // [joint id]
  std::vector<std::uint32_t> own_ids_, other_ids_;
};

}  // namespace skinbake
