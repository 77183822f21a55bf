#include "fit/correctives/residuals.h"

#include <doctest/doctest.h>

#include <cmath>

#include "support/rigs.h"

namespace skinbake {
namespace {

// Two free vertices that a joint at rest moves, with targets that are sums of `rank` functions of
// time.
struct Still {
  Rig rig = test::loose({{0, 0, 0}, {1, 1, 0}}, {Node{}}, {{{0, 1}}, {{0, 1}}});
  Clip clip;
  fit::Problem problem{&rig, 1, {}};

  Still(std::int64_t frames, int rank) {
    fit::ClipFrames sampled = fit::sample_clip(rig, &clip, {30, 0, 1, frames});
    for (std::int64_t f = 0; f < frames; ++f) {
      for (int i = 0; i < 6; ++i) {
        double number = rig.mesh->positions[static_cast<std::size_t>(i)];
        for (int k = 0; k < rank; ++k) {
          const double time = std::sin((k + 1) * 0.01 * static_cast<double>(f + 1));
          number += time * ((i * (k + 3)) % 5 - 2) * 0.25 / (k + 1);
        }
        sampled.targets.push_back(static_cast<float>(number));
      }
    }
    problem.clips.push_back(std::move(sampled));
  }

  fit::Residuals residuals() const { return {problem, {}}; }

  // The largest residual of a coordinate that the basis leaves.
  double remainder(const fit::Basis& basis) const {
    double worst = 0;
    const fit::ClipFrames& clip_frames = problem.clips[0];
    for (int i = 0; i < 6; ++i) {
      const auto residual = [&](std::size_t f) {
        return double{clip_frames.targets[f * 6 + static_cast<std::size_t>(i)]} -
               rig.mesh->positions[static_cast<std::size_t>(i)];
      };
      std::vector<double> targets(basis.count);
      for (std::size_t k = 0; k < basis.count; ++k) {
        for (std::size_t f = 0; f < basis.frame_count; ++f) {
          targets[k] += basis.projection_of(k)[f] * residual(f);
        }
      }
      for (std::size_t f = 0; f < basis.frame_count; ++f) {
        double left = residual(f);
        for (std::size_t k = 0; k < basis.count; ++k) left -= basis.weights_of(k)[f] * targets[k];
        worst = std::max(worst, std::abs(left));
      }
    }
    return worst;
  }
};

}  // namespace

TEST_CASE("fit: a basis of the residuals' rank leaves rounding errors") {
  const Still still(40, 2);
  CHECK(still.remainder(fit::find_basis(still.residuals(), 2, {})) < 1e-6);
  CHECK(still.remainder(fit::find_basis(still.residuals(), 1, {})) > 1e-3);
}

TEST_CASE("fit: functions of a basis are orthonormal, and their largest element is positive") {
  const Still still(40, 2);
  const fit::Basis basis = fit::find_basis(still.residuals(), 2, {});
  REQUIRE(basis.count == 2);
  for (std::size_t a = 0; a < 2; ++a) {
    double largest = 0;
    for (std::size_t f = 0; f < 40; ++f) {
      const double number = basis.weights_of(a)[f];
      if (std::abs(number) > std::abs(largest)) largest = number;
    }
    CHECK(largest > 0);
    for (std::size_t b = 0; b < 2; ++b) {
      double product = 0;
      for (std::size_t f = 0; f < 40; ++f)
        product += basis.weights_of(a)[f] * basis.weights_of(b)[f];
      CHECK(product == doctest::Approx(a == b ? 1 : 0).epsilon(1e-12));
    }
  }
}

TEST_CASE("fit: of a long clip some frames determine the targets, and the weights fit all frames") {
  const Still still(1100, 2);
  const fit::Basis basis = fit::find_basis(still.residuals(), 2, {});
  CHECK(basis.frame_count == 1100);
  CHECK(still.remainder(basis) < 1e-5);
}

}  // namespace skinbake
