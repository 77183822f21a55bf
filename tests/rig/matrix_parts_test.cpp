#include "rig/rest_pose.h"

#include <doctest/doctest.h>

#include <cmath>

#include "math/scalar.h"

using namespace skinbake;

namespace {

double difference(const Affine<double>& a, const Affine<double>& b) {
  return norm(a.x - b.x) + norm(a.y - b.y) + norm(a.z - b.z) + norm(a.translation - b.translation);
}

Node node_of(const Affine<double>& matrix) {
  Node node;
  node.matrix = matrix;
  return node;
}

}  // namespace

TEST_CASE("matrix parts: the identity has trivial parts") {
  Node node = node_of(kIdentity);
  REQUIRE(split_matrix(node));
  CHECK_FALSE(node.matrix.has_value());
  CHECK(node.rotation.w == 1);
  CHECK(node.scale.x == 1);
}

TEST_CASE("matrix parts: their product is the matrix, also of mirrors and of unequal scales") {
  for (const double x : {-2.0, 0.5, 100.0}) {
    for (const double y : {-1.0, 0.01}) {
      const double a = 0.3 * x, b = std::sqrt(1 - 0.25) * y / std::abs(y);
      const Quat<double> turn{std::cos(a), 0.5 * std::sin(a), b * std::sin(a), 0};
      const Affine<double> matrix = local_transform({1, 2, 3}, turn, {x, y, 3});
      Node node = node_of(matrix);
      REQUIRE(split_matrix(node));
      CHECK(difference(local_at_rest(node), matrix) < 1e-12 * (std::abs(x) + 4));
    }
  }
}

TEST_CASE("matrix parts: shear, a scale of zero and a node without a matrix are left") {
  Node node;
  CHECK_FALSE(split_matrix(node));
  node = node_of({{1, 0, 0}, {1e-3, 1, 0}, {0, 0, 1}, {0, 0, 0}});
  CHECK_FALSE(split_matrix(node));
  CHECK(node.matrix.has_value());
  node = node_of({{1, 0, 0}, {0, 0, 0}, {0, 0, 1}, {0, 0, 0}});
  CHECK_FALSE(split_matrix(node));
  node = node_of({{1e308, 0, 0}, {0, 1e308, 1e308}, {0, -1e308, 1e308}, {0, 0, 0}});
  split_matrix(node);  // does not crash
}
