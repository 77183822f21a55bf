#include "rig/huge_value.h"

#include <cmath>
#include <cstdio>
#include <initializer_list>

#include "rig/joint_tree.h"

namespace skinbake {

namespace {

// Metres. No model is as large; two factors below it have a product that a float can represent.
constexpr double kHuge = 1e15;

struct Largest {
  double size = kHuge, value = 0;
  std::string element;

  void add(double x, const std::string& of) {
    if (!(std::abs(x) > size)) return;
    size = std::abs(x);
    value = x;
    element = of;
  }
};

std::string text_of(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%g", value);
  return digits;
}

}  // namespace

std::string huge_value(const Rig& rig, VertexIndex vertex, std::span<const JointIndex> joints) {
  Largest largest;
  const std::string of_vertex = " of vertex " + std::to_string(vertex);
  for (std::size_t i = std::size_t{vertex} * 3; i < std::size_t{vertex} * 3 + 3; ++i) {
    largest.add(rig.mesh->positions[i], "the POSITION" + of_vertex);
    for (std::size_t m = 0; m < rig.mesh->morph_targets.size(); ++m) {
      const std::vector<float>& deltas = rig.mesh->morph_targets[m].positions;
      const std::string element = "the POSITION in morph target " + std::to_string(m) + of_vertex;
      if (i < deltas.size()) largest.add(deltas[i], element);
    }
  }
  for (const JointIndex joint : joints) {
    const Affine<double>& matrix = rig.joints[joint].joint_from_model;
    const std::string element = "the inverse bind matrix of joint '" + joint_id(rig, joint) + "'";
    for (const Vec3<double>& v : {matrix.x, matrix.y, matrix.z, matrix.translation}) {
      for (const double x : {v.x, v.y, v.z}) largest.add(x, element);
    }
  }
  if (largest.element.empty()) return "";
  return largest.element + " contains " + text_of(largest.value);
}

}  // namespace skinbake
