// The arguments of blend and relax, Vertex, Pose and Surface, and the layout of joints and parts in
// a block.

#if defined(SKINBAKE_METHODS_POSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METHODS_POSE_INL_H_
#undef SKINBAKE_METHODS_POSE_INL_H_
#else
#define SKINBAKE_METHODS_POSE_INL_H_
#endif

#include <cstddef>

#include "math/dual_quat-inl.h"
#include "methods/method.h"
#include "skinbake/frames.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// ---- The layout of a method's joints and parts in a block: the numbers of an aggregate one after
// another, [element][frame].

// The layout of an aggregate of kCount Reals.
template <class Aggregate>
struct Elements;

// Reads the numbers of an aggregate one after another; braces keep their order.
template <class R>
struct ElementReader {
  const Scalar<R>* at;

  HWY_INLINE R real() {
    const R number = load<R>(at);
    at += kFramesPerBlock;
    return number;
  }
  HWY_INLINE Vec3<R> vec3() { return {real(), real(), real()}; }
  HWY_INLINE Quat<R> quat() { return {real(), real(), real(), real()}; }
  HWY_INLINE Affine<R> affine() { return {vec3(), vec3(), vec3(), vec3()}; }
};

// Writes the numbers that start at `first`.
template <std::size_t kCount, class R>
HWY_INLINE void store_elements(const R* first, Scalar<R>* p) {
  for (std::size_t e = 0; e < kCount; ++e) store(first[e], p + e * kFramesPerBlock);
}

template <class R>
struct Elements<Affine<R>> {
  using Real = R;
  static constexpr std::size_t kCount = 12;
  static HWY_INLINE Affine<R> load_from(const Scalar<R>* p) {
    ElementReader<R> in{p};
    return in.affine();
  }
  static HWY_INLINE void store_to(const Affine<R>& m, Scalar<R>* p) {
    store_elements<kCount>(&m.x.x, p);
  }
};

template <class R>
struct Elements<Rigid<R>> {
  using Real = R;
  static constexpr std::size_t kCount = 7;
  static HWY_INLINE Rigid<R> load_from(const Scalar<R>* p) {
    ElementReader<R> in{p};
    return {in.quat(), in.vec3()};
  }
  static HWY_INLINE void store_to(const Rigid<R>& m, Scalar<R>* p) {
    store_elements<kCount>(&m.rotation.w, p);
  }
};

template <class R>
struct Elements<DualQuat<R>> {
  using Real = R;
  static constexpr std::size_t kCount = 8;
  static HWY_INLINE DualQuat<R> load_from(const Scalar<R>* p) {
    ElementReader<R> in{p};
    return {in.quat(), in.quat()};
  }
  static HWY_INLINE void store_to(const DualQuat<R>& q, Scalar<R>* p) {
    store_elements<kCount>(&q.real.w, p);
  }
};

// kSize Reals without names, for joints and parts that are plain numbers.
template <class R, std::size_t kSize>
struct Numbers {
  R e[kSize];
  HWY_INLINE const R& operator[](std::size_t i) const { return e[i]; }
};

template <class R, std::size_t kSize>
struct Elements<Numbers<R, kSize>> {
  using Real = R;
  static constexpr std::size_t kCount = kSize;
  static HWY_INLINE Numbers<R, kSize> load_from(const Scalar<R>* p) {
    Numbers<R, kSize> numbers;
    for (std::size_t i = 0; i < kSize; ++i) numbers.e[i] = load<R>(p + i * kFramesPerBlock);
    return numbers;
  }
  static HWY_INLINE void store_to(const Numbers<R, kSize>& numbers, Scalar<R>* p) {
    store_elements<kSize>(numbers.e, p);
  }
};

// ---- Vertex, Pose and Surface. A pose reads the joints of the frames of one register from a
// block.

// The arrays of a pose, of the shape [joint or part][element][frame].
template <class T>
struct PoseArrays {
  const T* joints = nullptr;
  const T* parts = nullptr;
  const T* stretches = nullptr;     // affine
  const T* common_scale = nullptr;  // [frame]
  bool stretched = false;
  const double* parameters = nullptr;
};

// The joints of the frames of one register. Part: Method::Part.
template <class Joint, class Part = Joint>
class Pose {
 public:
  using Real = typename Elements<Joint>::Real;
  using T = Scalar<Real>;

  HWY_INLINE explicit Pose(const PoseArrays<T>& arrays, int frame = 0)
      : arrays_(arrays), frame_(frame) {}

  HWY_INLINE Joint operator[](std::size_t joint) const { return at<Joint>(arrays_.joints, joint); }
  HWY_INLINE Part part(std::size_t part) const { return at<Part>(arrays_.parts, part); }

  // A parameter's value (Method::values). It is the same for all lanes, so that `if` may test it.
  HWY_INLINE double parameter(std::size_t i) const { return arrays_.parameters[i]; }

  // For rigid methods: the common scale, whether the stretch of a joint differs from it, and the
  // stretch of a joint.
  HWY_INLINE Real common_scale() const { return load<Real>(arrays_.common_scale + frame_); }
  HWY_INLINE bool is_stretched() const { return arrays_.stretched; }
  HWY_INLINE Affine<Real> stretch(std::size_t joint) const {
    return at<Affine<Real>>(arrays_.stretches, joint);
  }

 private:
  template <class Thing>
  HWY_INLINE Thing at(const T* things, std::size_t i) const {
    return Elements<Thing>::load_from(things + i * Elements<Thing>::kCount * kFramesPerBlock +
                                      frame_);
  }

  PoseArrays<T> arrays_;
  int frame_;
};

// A vertex, for methods that read more of it than its influences.
template <class Real>
struct Vertex {
  Influences<Scalar<Real>> influences;
  std::span<const std::uint32_t> indices;  // [entry] of its bind data
  const Scalar<Real>* numbers;             // [entry][number]
  Vec3<Real> rest;                         // its rest position with morph targets, not scaled
  VertexIndex index;
};

// The whole mesh after the last sweep, for the frames of one register. Sweeps compute displacements
// from the base's positions, and the last one a position: displacements are small, and keep their
// precision wherever a vertex is.
template <class Real>
class Surface {
 public:
  using T = Scalar<Real>;

  HWY_INLINE Surface(const SurfaceArrays<T>& meshes, const PoseArrays<T>& arrays, int frame,
                     int sweep)
      : meshes_(meshes), arrays_(arrays), frame_(frame), sweep_(sweep) {}

  HWY_INLINE Vec3<Real> base(VertexIndex v) const { return at(meshes_.base, v); }
  HWY_INLINE Vec3<Real> first_displacement(VertexIndex v) const { return at(meshes_.first, v); }
  HWY_INLINE Vec3<Real> displacement(VertexIndex v) const { return at(meshes_.from, v); }

  // With morph targets, the last sweep can also read the rest pose after the earlier sweeps.
  HWY_INLINE bool has_morphs() const { return meshes_.rest != nullptr; }
  HWY_INLINE Vec3<Real> rest_base(VertexIndex v) const { return at(meshes_.rest_base, v); }
  HWY_INLINE Vec3<Real> rest_displacement(VertexIndex v) const { return at(meshes_.rest, v); }

  HWY_INLINE Real common_scale() const { return load<Real>(arrays_.common_scale + frame_); }
  HWY_INLINE double parameter(std::size_t i) const { return arrays_.parameters[i]; }
  HWY_INLINE int sweep() const { return sweep_; }  // 0 … sweep_count - 1

 private:
  HWY_INLINE Vec3<Real> at(const T* points, VertexIndex v) const {
    const T* p = points + std::size_t{v} * 3 * kFramesPerBlock + frame_;
    return {load<Real>(p), load<Real>(p + kFramesPerBlock), load<Real>(p + 2 * kFramesPerBlock)};
  }

  SurfaceArrays<T> meshes_;
  PoseArrays<T> arrays_;
  int frame_, sweep_;
};

// ---- A joint's rigid motion as quaternion and as matrix, for methods that blend rotations as
// quaternions and positions by matrices; and the blend of rotations.

template <class Real>
struct PosedJoint {
  Quat<Real> rotation;
  Affine<Real> matrix;
};

template <class R>
struct Elements<PosedJoint<R>> {
  using Real = R;
  static constexpr std::size_t kCount = 16;
  static HWY_INLINE PosedJoint<R> load_from(const Scalar<R>* p) {
    ElementReader<R> in{p};
    return {in.quat(), in.affine()};
  }
  static HWY_INLINE void store_to(const PosedJoint<R>& joint, Scalar<R>* p) {
    store_elements<kCount>(&joint.rotation.w, p);
  }
};

template <class Real>
HWY_INLINE PosedJoint<Real> posed_joint(const Rigid<Real>& rigid) {
  return {rigid.rotation, to_affine(rigid.rotation, rigid.translation)};
}

// sum + w q, q turned to the hemisphere of the pivot: q and -q are the same rotation.
template <class Real>
HWY_INLINE Quat<Real> add_rotation(double weight, const Quat<Real>& q, const Quat<Real>& pivot,
                                   const Quat<Real>& sum) {
  return fma(copysign(splat<Real>(weight), dot(pivot, q)), q, sum);
}

template <class Real>
HWY_INLINE Quat<Real> normalized(const Quat<Real>& q) {
  return (splat<Real>(1) / norm(q)) * q;
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
