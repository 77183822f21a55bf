// The determinant is computed in double with a bound for its error. If the bound does not determine
// the sign, it is computed with expansions: exact sums of non-overlapping doubles, smallest first.

#include "math/orient3d.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace skinbake {
namespace {

// An expansion of at most N terms; its value is their sum.
template <std::size_t N>
struct Expansion {
  std::array<double, N> term{};
  std::size_t size = 0;

  void append(double t) {
    if (t != 0) term[size++] = t;
  }
};

// a + b = sum + rounding error (Knuth's TwoSum).
struct Rounded {
  double value, lost;
};
Rounded two_sum(double a, double b) {
  const double sum = a + b, b_part = sum - a, a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}
Rounded two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

// Shewchuk's GROW-EXPANSION.
template <std::size_t N>
void add(double b, Expansion<N>& e) {
  double sum = b;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < e.size; ++i) {
    const Rounded r = two_sum(sum, e.term[i]);
    sum = r.value;
    if (r.lost != 0) e.term[kept++] = r.lost;
  }
  e.size = kept;
  e.append(sum);
}

template <std::size_t N, std::size_t A, std::size_t B>
void add_product(const Expansion<A>& a, const Expansion<B>& b, double sign, Expansion<N>& sum) {
  static_assert(N >= 2 * A * B);
  for (std::size_t i = 0; i < a.size; ++i) {
    for (std::size_t j = 0; j < b.size; ++j) {
      const Rounded r = two_product(a.term[i], sign * b.term[j]);
      add(r.lost, sum);
      add(r.value, sum);
    }
  }
}

using Difference = Expansion<2>;
Difference difference(double a, double b) {
  const Rounded r = two_sum(a, -b);
  Difference d;
  d.append(r.lost);
  d.append(r.value);
  return d;
}

// p q - r s.
Expansion<16> minor(const Difference& p, const Difference& q, const Difference& r,
                    const Difference& s) {
  Expansion<16> result;
  add_product(p, q, 1, result);
  add_product(r, s, -1, result);
  return result;
}

struct ExactVector {
  Difference x, y, z;
};
ExactVector exact_difference(const Vec3<double>& a, const Vec3<double>& b) {
  return {difference(a.x, b.x), difference(a.y, b.y), difference(a.z, b.z)};
}

int exact_sign(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c,
               const Vec3<double>& d) {
  const ExactVector p = exact_difference(a, d), q = exact_difference(b, d);
  const ExactVector r = exact_difference(c, d);
  Expansion<192> sum;
  add_product(minor(q.y, r.z, q.z, r.y), p.x, 1, sum);
  add_product(minor(q.z, r.x, q.x, r.z), p.y, 1, sum);
  add_product(minor(q.x, r.y, q.y, r.x), p.z, 1, sum);
  if (sum.size == 0) return 0;
  return sum.term[sum.size - 1] > 0 ? 1 : -1;  // the largest term decides
}

}  // namespace

int orient3d(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c,
             const Vec3<double>& d) {
  const double ax = a.x - d.x, ay = a.y - d.y, az = a.z - d.z;
  const double bx = b.x - d.x, by = b.y - d.y, bz = b.z - d.z;
  const double cx = c.x - d.x, cy = c.y - d.y, cz = c.z - d.z;
  const double bycz = by * cz, bzcy = bz * cy, bzcx = bz * cx, bxcz = bx * cz;
  const double bxcy = bx * cy, bycx = by * cx;
  const double determinant = ax * (bycz - bzcy) + ay * (bzcx - bxcz) + az * (bxcy - bycx);
  const double magnitude = std::fabs(ax) * (std::fabs(bycz) + std::fabs(bzcy)) +
                           std::fabs(ay) * (std::fabs(bzcx) + std::fabs(bxcz)) +
                           std::fabs(az) * (std::fabs(bxcy) + std::fabs(bycx));
  // Shewchuk's o3derrboundA, (7 + 56 e) e with e = 2^-53.
  constexpr double kEpsilon = 0x1p-53;
  const double bound = (7 + 56 * kEpsilon) * kEpsilon * magnitude;
  if (determinant > bound) return 1;
  if (determinant < -bound) return -1;
  return exact_sign(a, b, c, d);
}

}  // namespace skinbake
