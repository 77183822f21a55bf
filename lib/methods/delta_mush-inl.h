// Delta mush over another method.
//
// Joe Mancewicz, Matt L. Derksen, Hans Rijpkema, Cyrus A. Wilson. Delta Mush: Smoothing
// Deformations While Preserving Detail. 2014. The bind is in methods/bind/smoothing.h.
//
//     s  = A^n x                               x the positions by the base method
//     v' = s + sum_c a_c F_c D d_c / sum_c a_c  c the vertex's corners, a_c their angles at rest,
//                                              D = scale diag(|k|, |k|, k), k the common scale
//
// The method smooths the artefacts of rough weights and collapsing joints, and restores the detail
// of the rest shape.
//
// Deviations: the paper has one frame per vertex, which depends on the choice of an edge; we have
// one per corner. Corners that are flat in a pose are ignored in it. With morph targets the rest
// pose is smoothed in every frame, but corners keep the angles of the mesh without morph targets.

#include "methods/bind/smoothing.h"
#include "methods/method.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real>
struct DeltaMush : MushParameter {
  static constexpr MethodParameter kParameters[] = {
      {.name = "base", .help = "the method that is smoothed", .names_method = true},
      {.name = "iterations",
       .help = "smoothing steps; auto: fewer than 10 where joints have few vertices",
       .highest = 200,
       .whole = true,
       .follows_mesh = true},
      {.name = "step",
       .help = "how far a step takes a vertex to its neighbours' mean",
       .initial = 0.5,
       .highest = 1,
       .above_lowest = true},
      {.name = "pin", .help = "whether border vertices stay", .choices = "1|0"},
      {.name = "scale", .help = "how much of the detail is put back", .initial = 1, .highest = 1}};
  // n steps of the default size spread a point over a length of sqrt(n / 2) edges [ours]: as a walk
  // that moves by an edge in half of the steps. That is at most a quarter of a joint's region, so
  // that a coarse mesh keeps its limbs; 10 steps, Autodesk Maya's default, suit a dense one.
  static constexpr int kMostSteps = 10;
  static constexpr void follow_mesh(int region_points, std::span<double> values) {
    const int steps = region_points / 8;
    values[kIterations] = steps < 1 ? 1 : steps > kMostSteps ? kMostSteps : steps;
  }
  // Without iterations the result equals the base. At scale 0 no detail is added, so that
  // frames which flip, where the smoothed base collapses, do not change the result.
  static constexpr MethodSetting kSettings[] = {
      {.setting = "iterations=0",
       .gains = kKeepsSingleJoint | kKeepsOneMap | kKeepsCommonMatrix | kContinuity},
      {.setting = "scale=0", .gains = kContinuity, .loses = kKeepsBindPose}};
  static constexpr MethodInfo kInfo{
      .id = "dm",
      .title = "delta mush",
      .source =
          "Mancewicz, Derksen, Rijpkema, Wilson. Delta Mush: Smoothing Deformations While "
          "Preserving Detail. 2014",
      .preserves = "rest pose, rigid motion of all joints; smooths what its base makes",
      .keeps = kKeepsBindPose | kKeepsRigidMotion | kKeepsOrigin,
      .parameters = kParameters,
      .settings = kSettings,
      .follow_mesh = follow_mesh};

  static constexpr bool kIsLinear = false;
  using Transform = Rigid<Real>;  // for the common scale

  static int base(Parameters parameters) { return static_cast<int>(parameters[kBase]); }
  static int sweep_count(Parameters parameters) {
    const double steps = parameters[kIterations];
    return 1 + (steps == kFollowsMesh ? 1 : static_cast<int>(steps));
  }
  static BindData bind(const BindInput& input) { return bind_corner_frames(input); }

  // The last sweep adds the detail, the others smooth.
  static HWY_INLINE Vec3<Real> relax(const Vertex<Real>& vertex, const Surface<Real>& surface) {
    if (surface.sweep() < static_cast<int>(surface.parameter(kIterations)))
      return smoothed(vertex, surface);
    return detailed(vertex, surface);
  }

 private:
  // With L = A - 1, x + e becomes A (x + e) = x + (A e + L x), and L x is the first displacement.
  // Differences of neighbours round L x, and sums round e, as little as these are small; the frames
  // of nearly flat corners magnify the rounding.
  static HWY_INLINE Vec3<Real> smoothed(const Vertex<Real>& vertex, const Surface<Real>& surface) {
    const Real zero = splat<Real>(0);
    const std::uint32_t count = vertex.indices[0];
    Vec3<Real> sum{zero, zero, zero};
    if (count == 0) return sum;
    const Real share = splat<Real>(vertex.numbers[0]);
    if (surface.sweep() == 0) {
      const Vec3<Real> x = surface.base(vertex.index);
      for (std::uint32_t i = 1; i <= count; ++i) {
        sum = sum + (surface.base(vertex.indices[i]) - x);
      }
      return share * sum;
    }
    for (std::uint32_t i = 1; i <= count; ++i) sum = sum + surface.displacement(vertex.indices[i]);
    return fma(share, sum,
               fma(splat<Real>(1 - surface.parameter(kStep)), surface.displacement(vertex.index),
                   surface.first_displacement(vertex.index)));
  }

  static HWY_INLINE Vec3<Real> detailed(const Vertex<Real>& vertex, const Surface<Real>& surface) {
    const Real zero = splat<Real>(0);
    const Vec3<Real> x = surface.base(vertex.index);
    if (surface.sweep() == 0) return x;
    const Vec3<Real> e = surface.displacement(vertex.index);
    const auto edge_to = [&](VertexIndex v) HWY_ATTR {
      return (surface.base(v) - x) + (surface.displacement(v) - e);
    };
    Vec3<Real> sum{zero, zero, zero};
    Real angles = zero;
    const Real k = surface.common_scale(), size = abs(k);
    for (std::size_t i = 1 + vertex.indices[0]; i < vertex.indices.size(); i += 2) {
      const Scalar<Real>* corner = vertex.numbers + i * kNumbersPerCorner;
      const Frame frame = frame_of(edge_to(vertex.indices[i]), edge_to(vertex.indices[i + 1]));
      const Real angle = select(frame.is_flat, zero, splat<Real>(corner[kAngle]));
      Vec3<Real> d{splat<Real>(corner[kDelta]), splat<Real>(corner[kDelta + 1]),
                   splat<Real>(corner[kDelta + 2])};
      if (surface.has_morphs()) d = splat<Real>(corner[kAngle]) * morphed_delta(vertex, surface, i);
      const Real in_plane = select(frame.is_flat, zero, size);
      sum = fma(frame.per_x * in_plane * d.x, frame.x,
                fma(frame.per_y * in_plane * d.y, frame.y,
                    fma(frame.per_z * select(frame.is_flat, zero, k) * d.z, frame.z, sum)));
      angles = angles + angle;
    }
    const Real put_back =
        splat<Real>(surface.parameter(kScale)) / select(less(zero, angles), angles, splat<Real>(1));
    return x + fma(put_back, sum, e);
  }

  // The axes of a corner's frame, not normalised, and the reciprocals of their lengths.
  struct Frame {
    Vec3<Real> x, y, z;
    Real per_x, per_y, per_z;
    decltype(less(Real(), Real())) is_flat;
  };
  static HWY_INLINE Frame frame_of(const Vec3<Real>& a, const Vec3<Real>& b) {
    // One division yields the reciprocals of two lengths; since |x| |y| = 2 |z| for unit edges,
    // another one yields three.
    const Real length_a = norm(a), length_b = norm(b);
    const Real per_lengths = reciprocal(length_a * length_b);
    const Vec3<Real> u = per_lengths * length_b * a, v = per_lengths * length_a * b;
    const Vec3<Real> x = u + v, z = cross(u, v);
    const Real norm_x = norm(x), norm_z = norm(z);
    const Real per = reciprocal(norm_x * norm_z);
    return {x,
            v - u,
            z,
            per * norm_z,
            splat<Real>(0.5) * per * norm_x * norm_x,
            per * norm_x,
            less(norm_z, splat<Real>(kLeastSine))};
  }
  // 1 / a; any number for a = 0.
  static HWY_INLINE Real reciprocal(Real a) {
    return splat<Real>(1) / select(less(splat<Real>(0), a), a, splat<Real>(1));
  }

  // d_c of the rest pose with morph targets.
  static HWY_INLINE Vec3<Real> morphed_delta(const Vertex<Real>& vertex,
                                             const Surface<Real>& surface, std::size_t corner) {
    const Vec3<Real> x = surface.rest_base(vertex.index);
    const Vec3<Real> e = surface.rest_displacement(vertex.index);
    const auto edge_to = [&](VertexIndex v) HWY_ATTR {
      return (surface.rest_base(v) - x) + (surface.rest_displacement(v) - e);
    };
    const Frame frame =
        frame_of(edge_to(vertex.indices[corner]), edge_to(vertex.indices[corner + 1]));
    const Vec3<Real> delta = -e;
    return {frame.per_x * dot(frame.x, delta), frame.per_y * dot(frame.y, delta),
            frame.per_z * dot(frame.z, delta)};
  }
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
