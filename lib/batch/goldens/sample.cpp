// The vertices of a golden.

#include <algorithm>
#include <limits>
#include <map>

#include "batch/goldens/golden.h"
#include "rig/joint_tree.h"

namespace skinbake {

namespace {

double squared_distance(const float* a, const float* b) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double d = double{a[axis]} - b[axis];
    sum += d * d;
  }
  return sum;
}

// The vertices that one joint moves most, of which some are chosen one by one.
class Region {
 public:
  Region(std::span<const float> positions, std::vector<VertexIndex> vertices)
      : positions_(positions),
        vertices_(std::move(vertices)),
        nearest_(vertices_.size(), std::numeric_limits<double>::infinity()) {}

  std::size_t size() const { return vertices_.size(); }
  bool is_used_up() const { return chosen_ == vertices_.size(); }

  // Precondition: a vertex is left.
  VertexIndex choose() {
    std::size_t best = end_of_axis();
    if (best == vertices_.size()) best = farthest();
    ++chosen_;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      nearest_[i] = std::min(nearest_[i], squared_distance(at(i), at(best)));
    }
    nearest_[best] = -1;  // chosen
    return vertices_[best];
  }

 private:
  const float* at(std::size_t i) const { return positions_.data() + std::size_t{vertices_[i]} * 3; }

  // The next end along an axis that is not chosen yet; size(): all six are.
  std::size_t end_of_axis() {
    for (; ends_ < 6; ++ends_) {
      const std::size_t axis = ends_ / 2;
      const float sign = ends_ % 2 == 0 ? -1.0F : 1.0F;
      std::size_t best = 0;
      for (std::size_t i = 1; i < vertices_.size(); ++i) {
        if (sign * at(i)[axis] > sign * at(best)[axis]) best = i;
      }
      if (nearest_[best] >= 0) return best;
    }
    return vertices_.size();
  }

  std::size_t farthest() const {
    return static_cast<std::size_t>(std::max_element(nearest_.begin(), nearest_.end()) -
                                    nearest_.begin());
  }

  std::span<const float> positions_;
  std::vector<VertexIndex> vertices_;
  std::vector<double> nearest_;  // squared distance from the chosen vertices; -1: chosen
  std::size_t ends_ = 0, chosen_ = 0;
};

// The joint with the largest weight; 0 without a rig.
JointIndex heaviest(const Rig* rig, VertexIndex v) {
  return rig == nullptr ? 0 : rig->influences_of(v).front().joint;
}

}  // namespace

std::int64_t golden_sample_size(std::int64_t vertices) {
  return std::min<std::int64_t>(vertices, std::clamp<std::int64_t>(vertices / 100, 8, 64));
}

GoldenSample stratified_sample(std::span<const float> positions, const Rig* rig,
                               std::int64_t count) {
  std::map<JointIndex, std::vector<VertexIndex>> by_joint;
  for (VertexIndex v = 0; v < positions.size() / 3; ++v) by_joint[heaviest(rig, v)].push_back(v);
  std::vector<Region> regions;
  for (auto& [joint, vertices] : by_joint) regions.emplace_back(positions, std::move(vertices));
  // If there are more joints than vertices, the largest regions have one.
  std::stable_sort(regions.begin(), regions.end(),
                   [](const Region& a, const Region& b) { return a.size() > b.size(); });
  GoldenSample sample;
  const auto most = std::min(static_cast<std::size_t>(count), positions.size() / 3);
  while (sample.vertices.size() < most) {
    for (Region& region : regions) {
      if (sample.vertices.size() == most) break;
      if (!region.is_used_up()) sample.vertices.push_back(region.choose());
    }
  }
  std::sort(sample.vertices.begin(), sample.vertices.end());
  for (const VertexIndex v : sample.vertices) {
    if (rig != nullptr) sample.joints.push_back(joint_id(*rig, heaviest(rig, v)));
  }
  return sample;
}

}  // namespace skinbake
