// Spherical blend skinning: the blended rotation about a centre, which is the point that the joints
// move to nearly the same position.
//
// Ladislav Kavan, Jiri Zara. Spherical Blend Skinning: A Real-time Deformation of Articulated
// Models. 2005.
//
//     p' = Q (p - r) + sum_j w_j C_j r      Q  the normalised sum of w_j q_j
//                                           r  minimises sum_{a<b} |C_a r - C_b r|^2 over the
//                                              vertex's joints, regardless of their weights
//
// Where rotations are nearly equal, r is not determined: as published, it then jumps or is far
// away. Here [ours] it is regularised towards r0, the head of the deepest joint of the set. For a
// parent and its child r0 is r:
//
//     r = r0 + (A + mu 1)^-1 sum_{a<b} (R_a - R_b)^T (C_b r0 - C_a r0)
//     A = sum_{a<b} (R_a - R_b)^T (R_a - R_b),  mu = 1e-6 n (n - 1) / 2
//
// Where rotations are nearly parallel, r can be many times the mesh's size away, and rotations that
// are rounded to float would move it too far. p' is therefore computed [ours] by
//
//     p' = Q p + sum_j w_j t_j - (Q - B) r,  B = sum_j w_j R_j
//
// with Q - B from the small differences of the quaternions, each turned to the hemisphere of the
// heaviest joint's, q_1. Let H(q q^T) = |q|^2 R, which is linear in q q^T. As Q's quaternion is the
// mean of the q_j over its length, and S is their covariance,
//
//     Q - B = tr(S) Q - H(S)
//     S = sum_j w_j d_j d_j^T - d d^T,  d_j = q_j - q_1,  d = sum_j w_j d_j
//
// Rounding of the q_j changes Q - B in proportion to the d_j, and where these are small, little.
//
// There is one r for each set of joints and frame: it is the method's Part. Sets that differ by a
// joint of negligible weight have different r, so that seams are possible between them.
//
// The sums over pairs are computed from sums over joints: n sum_a X_a^T Y_a - (sum X)^T (sum Y).

#include "methods/bind/joint_groups.h"
#include "methods/method.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real>
struct SphericalBlend {
  static constexpr MethodInfo kInfo{
      .id = "sbs",
      .title = "spherical blend",
      .source =
          "Kavan, Zara. Spherical Blend Skinning: A Real-time Deformation of Articulated Models. "
          "2005",
      .preserves = "as dqs; jumps at half a turn, seams where joint sets change",
      .keeps = kKeepsBindPose | kKeepsRigidMotion | kKeepsOrigin | kKeepsSingleJoint |
               kKeepsCommonMatrix | kKeepsOneMap | kKeepsDistances};

  static constexpr bool kIsLinear = false;
  using Transform = Rigid<Real>;
  using Joint = Transform;        // read as it is: no joint()
  using Part = Numbers<Real, 3>;  // r

  static BindData bind(const BindInput& input) { return bind_joint_sets(input); }

  static HWY_INLINE Part part(const PartOf& set, const Pose<Joint, Part>& pose) {
    const Real n = splat<Real>(static_cast<double>(set.joints.size()));
    const Vec3<Real> r0 =
        pose.common_scale() * Vec3<Real>{splat<Real>(set.numbers[0]), splat<Real>(set.numbers[1]),
                                         splat<Real>(set.numbers[2])};
    const Real zero = splat<Real>(0);
    Affine<Real> sum{
        {zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
    Vec3<Real> turned_back{zero, zero, zero};  // sum of R_a^T p_a
    Vec3<Real> base = r0;
    for (std::size_t i = 0; i < set.joints.size(); ++i) {
      const Rigid<Real> c = pose[set.joints[i]];
      const Affine<Real> m = to_affine(c.rotation, c.translation);
      // Positions are relative to the first joint's, so that large numbers do not cancel.
      if (i == 0) base = m * r0;
      const Vec3<Real> p = m * r0 - base;
      sum = {sum.x + m.x, sum.y + m.y, sum.z + m.z, sum.translation + p};
      turned_back = turned_back + Vec3<Real>{dot(m.x, p), dot(m.y, p), dot(m.z, p)};
    }
    const Vec3<Real> b =
        -n * turned_back + Vec3<Real>{dot(sum.x, sum.translation), dot(sum.y, sum.translation),
                                      dot(sum.z, sum.translation)};
    const Real mu = splat<Real>(0.5e-6) * n * (n - splat<Real>(1));
    const Vec3<Real> step = solved(sum, n * n, mu, b);
    return {{r0.x + step.x, r0.y + step.y, r0.z + step.z}};
  }

  static HWY_INLINE Affine<Real> blend(const Vertex<Real>& vertex, const Pose<Joint, Part>& pose) {
    const auto influences = vertex.influences;
    const Joint first = pose[influences[0].joint];
    if (vertex.indices.empty()) return to_affine(first.rotation, first.translation);
    const Real zero = splat<Real>(0), one = splat<Real>(1);
    Vec3<Real> translation = splat<Real>(influences[0].weight) * first.translation;
    const Quat<Real> back = -one * first.rotation;
    Quat<Real> mean{zero, zero, zero, zero};  // d
    Moments moments{mean, {zero, zero, zero}, {zero, zero, zero}};
    for (std::size_t i = 1; i < influences.size(); ++i) {
      const Joint c = pose[influences[i].joint];
      const Real w = splat<Real>(influences[i].weight);
      translation = fma(w, c.translation, translation);
      const Quat<Real> d = fma(copysign(one, dot(first.rotation, c.rotation)), c.rotation, back);
      const Quat<Real> share = w * d;
      mean = mean + share;
      moments.add(share, d);
    }
    moments.add(-one * mean, mean);
    const Quat<Real> sum = first.rotation + mean;
    Affine<Real> q = to_affine((one / norm(sum)) * sum, translation);
    const Part centre = pose.part(vertex.indices[0]);
    const Vec3<Real> r{centre[0], centre[1], centre[2]};
    q.translation = translation - moments.excess(rotate(q, r), r);
    return q;
  }

 private:
  // The symmetric matrix S, of the elements w, x, y, z of quaternions.
  struct Moments {
    Quat<Real> real;      // ww, wx, wy, wz
    Vec3<Real> squares;   // xx, yy, zz
    Vec3<Real> products;  // yz, zx, xy

    // Adds a b^T, where a is a multiple of b.
    HWY_INLINE void add(const Quat<Real>& a, const Quat<Real>& b) {
      real = fma(b.w, a, real);
      squares = {fma(a.x, b.x, squares.x), fma(a.y, b.y, squares.y), fma(a.z, b.z, squares.z)};
      products = {fma(a.y, b.z, products.x), fma(a.z, b.x, products.y), fma(a.x, b.y, products.z)};
    }

    // (Q - B) r, where `turned` is Q r. For the quaternion (w, v), |q|^2 R r =
    // (w w - v.v) r + 2 (v v^T r + w v x r).
    HWY_INLINE Vec3<Real> excess(const Vec3<Real>& turned, const Vec3<Real>& r) const {
      const Real square = squares.x + squares.y + squares.z;
      const Vec3<Real> along{fma(squares.x, r.x, fma(products.z, r.y, products.y * r.z)),
                             fma(products.z, r.x, fma(squares.y, r.y, products.x * r.z)),
                             fma(products.y, r.x, fma(products.x, r.y, squares.z * r.z))};
      const Vec3<Real> half = along + cross(vector_part(real), r);
      return fma(real.w + square, turned, fma(square - real.w, r, splat<Real>(-2) * half));
    }
  };

  // (n^2 1 - S^T S + mu 1)^-1 b, by cofactors; S is the linear part of `sum`.
  static HWY_INLINE Vec3<Real> solved(const Affine<Real>& s, Real n2, Real mu,
                                      const Vec3<Real>& b) {
    const Real xx = (n2 - dot(s.x, s.x)) + mu, yy = (n2 - dot(s.y, s.y)) + mu;
    const Real zz = (n2 - dot(s.z, s.z)) + mu;
    const Real xy = -dot(s.x, s.y), yz = -dot(s.y, s.z), zx = -dot(s.z, s.x);
    const Affine<Real> a{{xx, xy, zx}, {xy, yy, yz}, {zx, yz, zz}, b};
    const Vec3<Real> c0 = cross(a.y, a.z), c1 = cross(a.z, a.x), c2 = cross(a.x, a.y);
    const Real inverse = splat<Real>(1) / dot(a.x, c0);
    return inverse * Vec3<Real>{dot(c0, b), dot(c1, b), dot(c2, b)};
  }
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
