#include "metrics/position_error/digit_sum.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace skinbake {
namespace {

// A term alone, digit by digit with the functions of the library.
DigitSum sum_of(double term) {
  DigitSum sum;
  sum.place = digit_place(term);
  double rest = std::ldexp(term, -kDigitBits * sum.place);
  for (std::uint64_t& digit : sum.digits) {
    digit = static_cast<std::uint64_t>(std::floor(rest));
    rest = std::ldexp(rest - std::floor(rest), kDigitBits);
  }
  return sum;
}

DigitSum sum_of(const std::vector<double>& terms) {
  DigitSum sum;
  for (const double term : terms) sum.add(sum_of(term));
  return sum;
}

bool equal(const DigitSum& a, const DigitSum& b) {
  return a.place == b.place && a.digits == b.digits && a.is_nan == b.is_nan;
}

// Terms of magnitudes from 2^-least to 2^most.
std::vector<double> random_terms(std::mt19937_64& random, int least, int most, std::size_t count) {
  std::uniform_real_distribution<double> mantissa(1, 2);
  std::uniform_int_distribution<int> exponent(least, most);
  std::vector<double> terms(count);
  for (double& term : terms) term = std::ldexp(mantissa(random), exponent(random));
  return terms;
}

}  // namespace

TEST_CASE("digit sum: of no term and of zeros it is 0") {
  CHECK(DigitSum().value() == 0);
  CHECK(sum_of(std::vector<double>(5, 0.0)).value() == 0);
}

TEST_CASE("digit sum: one term has its value, if its digits fit") {
  for (const double term : {1.0, 0.1, 3e-20, 4e20, 1e70, 2e-200, std::ldexp(1.0, 259)}) {
    CHECK(sum_of(term).value() == term);
  }
  CHECK(sum_of(1e-300).value() == 0);  // dropped: below the lowest place
}

TEST_CASE("digit sum: small terms do not vanish beside a large one") {
  std::vector<double> terms(1000, 0x1p-60);
  terms.push_back(1);
  CHECK(sum_of(terms).value() == 1 + 1000 * 0x1p-60);
}

TEST_CASE("digit sum: every order and division into parts gives the same bits") {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> terms =
        random_terms(random, trial % 2 == 0 ? -300 : -60, trial % 3 == 0 ? 250 : 4, 97);
    const DigitSum whole = sum_of(terms);
    std::ranges::shuffle(terms, random);
    CHECK(equal(sum_of(terms), whole));
    const auto cut = terms.begin() + static_cast<std::ptrdiff_t>(random() % terms.size());
    DigitSum parts = sum_of(std::vector<double>(cut, terms.end()));
    parts.add(sum_of(std::vector<double>(terms.begin(), cut)));
    CHECK(equal(parts, whole));
  }
}

TEST_CASE("digit sum: it is as near to the sum as double precision can say") {
  std::mt19937_64 random(8);
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<double> terms = random_terms(random, -40, 10, 1000);
    long double expected = 0;
    for (const double term : terms) expected += term;
    const double value = sum_of(terms).value();
    CHECK(std::abs(value - expected) <= 0x1p-52L * expected);
  }
}

TEST_CASE("digit sum: a term that is not a number makes the sum no number") {
  DigitSum nan;
  nan.is_nan = true;
  DigitSum sum = sum_of(std::vector<double>{1, 2});
  sum.add(nan);
  sum.add(sum_of(3));
  CHECK(std::isnan(sum.value()));
}

TEST_CASE("digit sum: the place of a term is that of its highest digit") {
  CHECK(digit_place(1) == 0);
  CHECK(digit_place(0x1p32) == 1);
  CHECK(digit_place(std::nextafter(0x1p32, 0)) == 0);
  CHECK(digit_place(std::nextafter(1, 0)) == -1);
  CHECK(digit_place(0) == kLowestPlace);
  CHECK(digit_place(std::numeric_limits<double>::denorm_min()) == kLowestPlace);
}

}  // namespace skinbake
