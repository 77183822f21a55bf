// Implicit smoothing on a chain, whose solution has a closed form.

#include "methods/bind/smoothing.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

namespace skinbake {
namespace {

// Points that are each joined to the next.
WeldedSurface chain(PointIndex count) {
  WeldedSurface surface;
  surface.first_neighbour = {0};
  for (PointIndex p = 0; p < count; ++p) {
    surface.point_of.push_back(p);
    surface.vertex_of.push_back(p);
    if (p > 0) surface.neighbours.push_back(p - 1);
    if (p + 1 < count) surface.neighbours.push_back(p + 1);
    surface.first_neighbour.push_back(static_cast<std::uint32_t>(surface.neighbours.size()));
  }
  return surface;
}

constexpr std::size_t kFields = ImplicitSmoother::kFields;

// Far from both ends, (2 + 2 lambda) x_p - lambda (x_(p-1) + x_(p+1)) = 2 at the source and 0
// elsewhere; hence x_p = a r^|p - source|.
TEST_CASE("implicit smoothing of a chain decays geometrically, and never to a subnormal number") {
  const PointIndex count = 1001, source = 500;
  const double lambda = 0.5;
  const double r = (1 + lambda - std::sqrt(1 + 2 * lambda)) / lambda;
  const double a = 1 / (1 + lambda - lambda * r);
  const WeldedSurface surface = chain(count);
  const ImplicitSmoother smoother(surface, uniform_laplacian(surface), lambda, "chain");
  std::vector<double> fields(count * kFields);
  fields[smoother.row(source) * kFields] = 1;
  smoother.smooth(1, fields.data());
  for (PointIndex p = 0; p < count; ++p) {
    CAPTURE(p);
    const double value = fields[smoother.row(p) * kFields];
    const int steps = std::abs(static_cast<int>(p) - static_cast<int>(source));
    if (steps < 150) CHECK(value == doctest::Approx(a * std::pow(r, steps)).epsilon(1e-9));
    CHECK((value == 0 || std::isnormal(value)));
    for (std::size_t f = 1; f < kFields; ++f) CHECK(fields[smoother.row(p) * kFields + f] == 0);
  }
}

}  // namespace
}  // namespace skinbake
