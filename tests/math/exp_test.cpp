#include "math/exp.h"

#include <doctest/doctest.h>

#include <cmath>

#include "support/near.h"
#include "support/random.h"

namespace skinbake {

TEST_CASE("exp: the error is at most 2 ulp against the library's extended precision") {
  test::Random random(60);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = -random.between(0, i % 2 == 0 ? 1 : 700);
    worst = std::max(worst, test::ulps(exp_of_negative(x), std::exp(static_cast<long double>(x))));
  }
  CHECK(worst < 2);
  CHECK(worst > 0.4);  // otherwise nothing was measured
}

TEST_CASE("exp: is 1 at 0, and 0 below -700") {
  CHECK(exp_of_negative(0) == 1);
  CHECK(exp_of_negative(-0.0) == 1);
  CHECK(exp_of_negative(-1e300) == 0);
  CHECK(exp_of_negative(-INFINITY) == 0);
  CHECK(exp_of_negative(-701) == 0);
}

}  // namespace skinbake
