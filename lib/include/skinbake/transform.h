// Vectors, quaternions and transforms over any `Real`: double in the public API, 16 frames at once
// inside the library. The types are aggregates; the operations are in lib/math.

#pragma once

namespace skinbake {

template <class Real>
struct Vec3 {
  Real x, y, z;
};

// w + xi + yj + zk.
template <class Real>
struct Quat {
  Real w, x, y, z;
};

// p -> x p.x + y p.y + z p.z + translation: the columns of a 3 x 4 matrix.
template <class Real>
struct Affine {
  Vec3<Real> x, y, z, translation;
};

// p -> rotation p + translation. The rotation is a unit quaternion.
template <class Real>
struct Rigid {
  Quat<Real> rotation;
  Vec3<Real> translation;
};

inline constexpr Affine<double> kIdentity{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};

}  // namespace skinbake
