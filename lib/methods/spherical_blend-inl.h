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
// There is one r for each set of joints and frame: it is the method's Part. Sets that differ by a
// joint of negligible weight have different r, so that seams are possible between them.
//
// The sums over pairs are computed from sums over joints: n sum_a X_a^T Y_a - (sum X)^T (sum Y).

#include "methods/bind/joint_sets.h"
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
    const Part centre = pose.part(vertex.indices[0]);
    const Vec3<Real> r{centre[0], centre[1], centre[2]};
    const Real weight = splat<Real>(influences[0].weight);
    Quat<Real> sum = weight * first.rotation;
    Vec3<Real> position = weight * moved(first, r);
    for (std::size_t i = 1; i < influences.size(); ++i) {
      const Joint c = pose[influences[i].joint];
      const Real w = splat<Real>(influences[i].weight);
      sum = fma(copysign(w, dot(first.rotation, c.rotation)), c.rotation, sum);
      position = fma(w, moved(c, r), position);
    }
    const Real inverse = splat<Real>(1) / norm(sum);
    const Vec3<Real> origin{splat<Real>(0), splat<Real>(0), splat<Real>(0)};
    Affine<Real> q = to_affine(inverse * sum, origin);
    q.translation = position - rotate(q, r);
    return q;
  }

 private:
  // C r.
  static HWY_INLINE Vec3<Real> moved(const Joint& c, const Vec3<Real>& r) {
    const Vec3<Real> v = vector_part(c.rotation);
    const Vec3<Real> half = cross(v, fma(c.rotation.w, r, cross(v, r)));
    return r + fma(splat<Real>(2), half, c.translation);
  }

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
