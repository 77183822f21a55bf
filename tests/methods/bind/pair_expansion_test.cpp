// The expansion of a pair's sums against the sums themselves.

#include "methods/bind/pair_expansion.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "support/random.h"

namespace skinbake {
namespace {

struct WeightPair {
  double j, k;
};

// Weights within a box; two are its corners, if their sums are within it.
std::vector<WeightPair> within(const WeightBox& box, int count, test::Random& random) {
  std::vector<WeightPair> pairs;
  const auto add = [&](double j, double k) {
    if (j + k <= box.high_sum) pairs.push_back({j, k});
  };
  add(box.low_j, box.low_k), add(box.high_j, box.high_k);
  while (static_cast<int>(pairs.size()) < count) {
    add(random.between(box.low_j, box.high_j), random.between(box.low_k, box.high_k));
  }
  return pairs;
}

// The greatest error of a sum over the sum of the pieces' areas, at points of the box p.
double worst_error(const WeightBox& p, const WeightBox& t, double sigma) {
  test::Random random(88);
  const auto pieces = std::make_unique<Pieces>();
  double all = 0;
  for (const auto& [j, k] : within(t, 300, random)) {
    pieces->add(j, k, sigma, random.between(0.5, 1), random.vector(1));
    all += pieces->a[pieces->count - 1];
  }
  PairExpansion expansion(p, {t.low_j / sigma, t.high_j / sigma, t.low_k / sigma, t.high_k / sigma,
                              t.high_sum / sigma});
  expansion.prepare();
  expansion.add(*pieces);
  expansion.finish();
  double worst = 0;
  for (const auto& [j, k] : within(p, 30, random)) {
    PieceSums direct;
    add_pieces(*pieces, j, k, direct);
    const PieceSums expanded = expansion.at(j, k);
    for (const double error :
         {expanded.area - direct.area, expanded.moment.x - direct.moment.x,
          expanded.moment.y - direct.moment.y, expanded.moment.z - direct.moment.z}) {
      worst = std::max(worst, std::fabs(error) / all);
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("pair expansion: it equals the sums that it replaces") {
  const WeightBox full{0.02, 0.98, 0.01, 0.97, 1};
  const WeightBox narrow{0.3, 0.36, 0.5, 0.58, 0.94}, tiny{0.002, 0.006, 0.001, 0.008, 0.014},
      tiniest{0.001, 0.0012, 0.002, 0.0021, 0.0033};
  for (const WeightBox& p : {full, narrow, tiny, tiniest}) {
    for (const WeightBox& t : {full, narrow, tiny, tiniest}) {
      for (const double sigma : {0.05, 0.1, 0.3})
        CHECK(worst_error(p, t, sigma) < PairExpansion::kError);
    }
  }
  CHECK(worst_error({0.25, 0.25, 0.5, 0.5, 0.75}, {0.4, 0.4, 0.6, 0.6, 1}, 0.1) <
        PairExpansion::kError);
}

TEST_CASE("pair expansion: there is none for a sigma that tells nearly all weights apart") {
  const WeightBox box{0, 1, 0, 1, 1};
  CHECK(std::isinf(PairExpansion(box, {0, 1e6, 0, 1e6, 1e6}).cost(1e9, 1e9)));
  CHECK(PairExpansion(box, {0, 10, 0, 10, 10}).cost(1e9, 1e9) < 1e15);
}

TEST_CASE("pair expansion: a box without weights is not expanded") {
  WeightBox one;
  one.add(0.25, 0.5);
  for (const auto& [p, t] : {std::pair{one, WeightBox{}}, {WeightBox{}, one}}) {
    CHECK(PairExpansion(p, t).cost(0, 1) == std::numeric_limits<double>::infinity());
  }
  CHECK(PairExpansion(one, one).cost(1, 1) < std::numeric_limits<double>::infinity());
}

}  // namespace skinbake
