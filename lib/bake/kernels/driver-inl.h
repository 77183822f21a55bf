// The drivers: the loops over joints and vertices. They handle lanes, morph targets, stretch,
// normals and stores; a method only defines how joints blend.

#if defined(SKINBAKE_BAKE_KERNELS_DRIVER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_BAKE_KERNELS_DRIVER_INL_H_
#undef SKINBAKE_BAKE_KERNELS_DRIVER_INL_H_
#else
#define SKINBAKE_BAKE_KERNELS_DRIVER_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cassert>
#include <type_traits>

#include "bake/kernels/kernels.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// ---- Prepares the joints and parts of a block in the method's form, before its vertices are
// skinned.

template <class Transform>
inline constexpr bool kIsRigidTransform = false;
template <class Real>
inline constexpr bool kIsRigidTransform<Rigid<Real>> = true;

// Rigid methods read rigid joints; the driver scales points before they are moved.
template <class Method>
inline constexpr bool kIsRigid = kIsRigidTransform<typename Method::Transform>;

template <class Method>
inline constexpr bool kHasParts = requires {
  typename Method::Part;
};

// Without `joint` and `pose_joints` a method reads the block's transforms as they are.
template <class Method>
constexpr JointForm joint_form() {
  if constexpr (
      requires { &Method::joint; } || requires { &Method::pose_joints; }) {
    return JointForm::kOwn;
  } else {
    static_assert(std::is_same_v<typename Method::Joint, typename Method::Transform>);
    return kIsRigid<Method> ? JointForm::kRigid : JointForm::kMatrix;
  }
}

template <class Method, bool = kHasParts<Method>>
struct PoseOfMethod {
  using Type = Pose<typename Method::Joint>;
};
template <class Method>
struct PoseOfMethod<Method, true> {
  using Type = Pose<typename Method::Joint, typename Method::Part>;
};
template <class Method>
using PoseOf = typename PoseOfMethod<Method>::Type;

template <class Method>
constexpr std::size_t part_elements() {
  if constexpr (kHasParts<Method>) return Elements<typename Method::Part>::kCount;
  return 0;
}

template <class T>
HWY_INLINE PoseArrays<T> arrays_of(const SkinTask<T>& task) {
  return {task.method_joints,
          task.parts,
          task.joints->scaled_from_rest.data(),
          task.joints->common_scale.data(),
          task.joints->stretched,
          task.parameters.data()};
}

// The data of a vertex that a method reads. Task: SkinTask or RelaxTask.
template <class Real, class Task>
HWY_INLINE Vertex<Real> vertex_of(const Task& task, VertexIndex v, const Vec3<Real>& rest) {
  const BindNumbers<Scalar<Real>>& bind_data = *task.bind_data;
  if (bind_data.first_entry.empty()) return {task.rig->influences_of(v), {}, nullptr, rest, v};
  const std::uint32_t first = bind_data.first_entry[v], last = bind_data.first_entry[v + 1];
  return {task.rig->influences_of(v),
          {bind_data.indices.data() + first, bind_data.indices.data() + last},
          bind_data.numbers.data() + std::size_t{first} * bind_data.numbers_per_entry,
          rest,
          v};
}

// The parts, from joints that are prepared.
template <class Method>
void prepare_parts(const PrepareTask<double>& task) {
  using Part = typename Method::Part;
  PoseArrays<double> arrays;
  arrays.joints = task.method_joints;
  arrays.common_scale = task.joints->common_scale.data();
  arrays.stretches = task.joints->scaled_from_rest.data();
  arrays.stretched = task.stretched;
  arrays.parameters = task.parameters.data();
  const BindData& bind_data = *task.bind_data;
  for (std::size_t i = 0; i < bind_data.part_count(); ++i) {
    const PartOf of{{bind_data.part_joints.data() + bind_data.first_part_joint[i],
                     bind_data.part_joints.data() + bind_data.first_part_joint[i + 1]},
                    {bind_data.part_numbers.data() + i * bind_data.numbers_per_part,
                     bind_data.numbers_per_part}};
    double* to = task.parts + i * Elements<Part>::kCount * kFramesPerBlock;
    for (int frame = 0; frame < kFramesPerBlock; frame += kLanes<DoubleLanes>) {
      Elements<Part>::store_to(Method::part(of, PoseOf<Method>(arrays, frame)), to + frame);
    }
  }
}

// Method::joint for every joint, all 16 frames; then the parts, always in double, because they
// solve linear systems.
template <class Method, class Real>
void prepare(const PrepareTask<Scalar<Real>>& task) {
  if constexpr (requires { &Method::joint; }) {
    const JointBlock<Scalar<Real>>& joints = *task.joints;
    using Source = Elements<typename Method::Transform>;
    using Target = Elements<typename Method::Joint>;
    const Scalar<Real>* from = joints.posed_from_rest.data();
    if constexpr (kIsRigid<Method>) from = joints.posed_from_scaled.data();
    for (std::size_t j = 0; j < joints.joint_count; ++j) {
      for (int frame = 0; frame < kFramesPerBlock; frame += kLanes<Real>) {
        const auto transform =
            Source::load_from(from + j * Source::kCount * kFramesPerBlock + frame);
        Target::store_to(Method::joint(transform),
                         task.own_joints + j * Target::kCount * kFramesPerBlock + frame);
      }
    }
  }
  if constexpr (kHasParts<Method> && std::is_same_v<Real, DoubleLanes>) {
    prepare_parts<Method>(task);
  }
}

// ---- The loops over vertices

template <class Real>
HWY_INLINE void store(const Vec3<Real>& v, Scalar<Real>* to) {
  store(v.x, to);
  store(v.y, to + kFramesPerBlock);
  store(v.z, to + 2 * kFramesPerBlock);
}

template <class Real>
HWY_INLINE Vec3<Real> load_point(const Scalar<Real>* from) {
  return {load<Real>(from), load<Real>(from + kFramesPerBlock),
          load<Real>(from + 2 * kFramesPerBlock)};
}

// Whether all points that were added are finite: x - x is 0 for a finite x and NaN otherwise, and
// NaN stays in the sum. (The check only adds, because the drivers' loops are limited by
// multiplication.)
template <class Real>
struct FiniteCheck {
  Real sum;  // set to zero by the caller: a constructor would not inline

  HWY_INLINE void add(const Vec3<Real>& p) {
    const Real total = p.x + p.y + p.z;
    sum = sum + (total - total);
  }
  HWY_INLINE bool holds() const {
    alignas(64) Scalar<Real> lanes[kLanes<Real>];
    store(sum, lanes);
    for (const Scalar<Real> lane : lanes) {
      if (lane != 0) return false;
    }
    return true;
  }
};

// ---- The driver of methods whose blend is a weighted sum of the joints' matrices, for points
// without morph targets:
//
//     p' = sum_j (w_j p_x) x_j + (w_j p_y) y_j + (w_j p_z) z_j + w_j t_j    M_j = [x_j y_j z_j|t_j]
//
// The terms in brackets do not change from frame to frame; PackedRig stores them as moments.
// Reading the joints' matrices takes most of the time. A joint is therefore read once for a bundle
// of vertices, and stays in registers while it is added to the sums of the vertices that it moves.
// The joints of every vertex are added in ascending order.

// Adds a joint to the points that it moves, for the frames of one register. `sums`: the points of
// the bundle, at the register's first frame.
template <class Real>
HWY_INLINE void add_joint(const Affine<Real>& joint, const Moment<Scalar<Real>>* first,
                          const Moment<Scalar<Real>>* last, Scalar<Real>* sums) {
  for (const Moment<Scalar<Real>>* m = first; m < last; ++m) {
    Scalar<Real>* point = sums + std::size_t{m->vertex} * 3 * kFramesPerBlock;
    Vec3<Real> sum{load<Real>(point), load<Real>(point + kFramesPerBlock),
                   load<Real>(point + 2 * kFramesPerBlock)};
    sum = fma(splat<Real>(m->w), joint.translation, sum);
    sum = fma(splat<Real>(m->x), joint.x, sum);
    sum = fma(splat<Real>(m->y), joint.y, sum);
    sum = fma(splat<Real>(m->z), joint.z, sum);
    store(sum, point);
  }
}

// Moves a bundle, for the frames of one register.
template <class Real>
HWY_INLINE void move_bundle(const SkinTask<Scalar<Real>>& task, VertexIndex first, int frame,
                            Scalar<Real>* sums) {
  using Matrix = Elements<Affine<Real>>;
  const PackedRig<Scalar<Real>>& rig = *task.rig;
  const VertexIndex bundle = first / kVerticesPerBundle;
  std::uint32_t from = rig.first_influence[first];
  for (std::uint32_t r = rig.first_run[bundle]; r < rig.first_run[bundle + 1]; ++r) {
    const MomentRun run = rig.runs[r];
    const Affine<Real> joint = Matrix::load_from(
        task.method_joints + std::size_t{run.joint} * Matrix::kCount * kFramesPerBlock + frame);
    add_joint(joint, &rig.moments[from], rig.moments.data() + run.end, sums + frame);
    from = run.end;
  }
}

template <class Real>
bool move_constant_points(const SkinTask<Scalar<Real>>& task) {
  // Only whole bundles can be moved.
  assert(task.vertices.first % kVerticesPerBundle == 0);
  assert(task.vertices.count % kVerticesPerBundle == 0 ||
         task.vertices.first + task.vertices.count + 1 == task.rig->first_influence.size());
  FiniteCheck<Real> finite{splat<Real>(0)};
  for (VertexIndex i = 0; i < task.vertices.count; i += kVerticesPerBundle) {
    Scalar<Real>* sums = task.positions + std::size_t{i} * 3 * kFramesPerBlock;
    const std::size_t count = std::min(kVerticesPerBundle, task.vertices.count - i);
    std::fill_n(sums, count * 3 * kFramesPerBlock, Scalar<Real>{0});
    for (int frame = 0; frame < kFramesPerBlock; frame += kLanes<Real>) {
      move_bundle<Real>(task, task.vertices.first + i, frame, sums);
    }
    for (std::size_t n = 0; n < count * 3 * kFramesPerBlock; n += 3 * kLanes<Real>) {
      finite.add({load<Real>(sums + n), load<Real>(sums + n + kLanes<Real>),
                  load<Real>(sums + n + 2 * kLanes<Real>)});
    }
  }
  return finite.holds();
}

// ---- The driver of all methods

// One vector attribute of a vertex at rest, with its morph targets. Field: positions, normals or
// tangents.
template <class Real, bool kMorphs = true, class Morph>
HWY_INLINE Vec3<Real> at_rest(const Scalar<Real>* base, const std::vector<Morph>& morphs,
                              std::vector<Scalar<Real>> Morph::*field,
                              const Scalar<Real>* morph_weights, VertexIndex v) {
  const std::size_t i = std::size_t{v} * 3;
  Vec3<Real> rest{splat<Real>(base[i]), splat<Real>(base[i + 1]), splat<Real>(base[i + 2])};
  for (std::size_t m = 0; kMorphs && m < morphs.size(); ++m) {
    const std::vector<Scalar<Real>>& delta = morphs[m].*field;
    if (delta.empty()) continue;
    const Real weight = load<Real>(morph_weights + m * kFramesPerBlock);
    rest =
        fma(weight,
            Vec3<Real>{splat<Real>(delta[i]), splat<Real>(delta[i + 1]), splat<Real>(delta[i + 2])},
            rest);
  }
  return rest;
}

// `blend` of methods that read the whole vertex, or only its influences.
template <class Method, class Real>
HWY_INLINE Affine<Real> blended(const Vertex<Real>& vertex, const PoseOf<Method>& pose) {
  if constexpr (requires { Method::blend(vertex, pose); }) {
    return Method::blend(vertex, pose);
  } else {
    return Method::blend(vertex.influences, pose);
  }
}

// The blend of the joints' stretches, which are affine.
template <class Real, class Pose>
HWY_INLINE Affine<Real> blended_stretch(Influences<Scalar<Real>> influences, const Pose& pose) {
  Affine<Real> sum = splat<Real>(influences[0].weight) * pose.stretch(influences[0].joint);
  for (std::size_t i = 1; i < influences.size(); ++i) {
    sum = fma(splat<Real>(influences[i].weight), pose.stretch(influences[i].joint), sum);
  }
  return sum;
}

// Variants of the loop. The first value of each enum is the common case. It is compiled separately,
// because registers that the other branches occupy would make it 1.5 times as slow.
enum class Rest { kConstant, kMoving };  // moving: by morph targets, or by stretched joints
enum class Out { kPositions, kNormalsToo, kAsTask };  // as the task: it has normals or not

// Whether a variant computes normals, and tangents if SkinTask::tangents is set.
template <Out kOut, class T>
HWY_INLINE bool has_normals(const SkinTask<T>& task) {
  return kOut == Out::kNormalsToo || (kOut == Out::kAsTask && task.normals != nullptr);
}

// A tangent, moved by the linear part of the map that moves its vertex.
template <class Method, class Real, Rest kRest>
HWY_INLINE Vec3<Real> moved_tangent(const SkinTask<Scalar<Real>>& task, VertexIndex v,
                                    const PoseOf<Method>& pose, int frame,
                                    const Affine<Real>& moved) {
  using PackedRig = PackedRig<Scalar<Real>>;
  Vec3<Real> tangent = at_rest<Real, kRest == Rest::kMoving>(
      task.rig->tangents.data(), task.rig->morphs, &PackedRig::Morph::tangents,
      task.joints->morph_weights.data() + frame, v);
  if constexpr (kIsRigid<Method>) {
    tangent = kRest == Rest::kMoving && task.stretched
                  ? rotate(blended_stretch<Real>(task.rig->influences_of(v), pose), tangent)
                  : pose.common_scale() * tangent;
  }
  return rotate(moved, tangent);
}

// Skins one vertex, for the frames of one register. Rigid methods act on scaled points: they are
// scaled by the blended stretch if joints are stretched, otherwise by the common scale. (The sign
// of the common scale turns the normals of a mirrored rig.)
template <class Method, class Real, Rest kRest, Out kOut>
HWY_INLINE Vec3<Real> skin_vertex(const SkinTask<Scalar<Real>>& task, VertexIndex v,
                                  const PoseOf<Method>& pose, int frame, std::size_t out) {
  using T = Scalar<Real>;
  constexpr bool kMorphs = kRest == Rest::kMoving;
  const bool normals = has_normals<kOut>(task);
  const PackedRig<T>& rig = *task.rig;
  const T* morph_weights = task.joints->morph_weights.data() + frame;
  const Vec3<Real> rest = at_rest<Real, kMorphs>(rig.positions.data(), rig.morphs,
                                                 &PackedRig<T>::Morph::positions, morph_weights, v);
  const Vertex<Real> vertex = vertex_of<Real>(task, v, rest);
  const Affine<Real> moved = blended<Method>(vertex, pose);
  Vec3<Real> normal = rest;
  if (normals) {
    normal = at_rest<Real, kMorphs>(rig.normals.data(), rig.morphs, &PackedRig<T>::Morph::normals,
                                    morph_weights, v);
  }
  Vec3<Real> u = rest;
  if constexpr (kIsRigid<Method>) {
    if (kRest == Rest::kMoving && task.stretched) {
      const Affine<Real> stretch = blended_stretch<Real>(vertex.influences, pose);
      u = stretch * rest;
      if (normals) normal = transform_normal(stretch, normal);
    } else {
      u = pose.common_scale() * rest;
      if (normals) normal = pose.common_scale() * normal;
    }
  }
  if (normals) {
    store(transform_normal(moved, normal), task.normals + out);
    if (task.tangents != nullptr) {
      store(moved_tangent<Method, Real, kRest>(task, v, pose, frame, moved), task.tangents + out);
    }
  }
  if constexpr (requires { Method::move(vertex, pose, u, u); }) {
    return Method::move(vertex, pose, u, moved * u);
  } else {
    return moved * u;
  }
}

template <class Method, class Real, Rest kRest, Out kOut>
bool skin_vertices(const SkinTask<Scalar<Real>>& task) {
  const PoseArrays<Scalar<Real>> arrays = arrays_of(task);
  FiniteCheck<Real> finite{splat<Real>(0)};
  for (VertexIndex i = 0; i < task.vertices.count; ++i) {
    for (int frame = 0; frame < kFramesPerBlock; frame += kLanes<Real>) {
      const std::size_t out = std::size_t{i} * 3 * kFramesPerBlock + frame;
      const Vec3<Real> p = skin_vertex<Method, Real, kRest, kOut>(
          task, task.vertices.first + i, PoseOf<Method>(arrays, frame), frame, out);
      finite.add(p);
      store(p, task.positions + out);
      if (has_normals<kOut>(task)) finite.add(load_point<Real>(task.normals + out));
    }
  }
  return finite.holds();
}

template <class Method, class Real>
bool skin(const SkinTask<Scalar<Real>>& task) {
  // The fallback target and the exact reference have fewer variants: half of the time of compiling
  // this file.
  constexpr bool kIsFallback = HWY_TARGET == HWY_SCALAR;
  constexpr bool kIsExact = std::is_same_v<Scalar<Real>, double>;
  const bool constant = task.rig->morphs.empty() && !task.stretched;
  const bool normals = task.normals != nullptr;
  if constexpr (Method::kIsLinear) {
    if (task.rig->morphs.empty() && !normals) return move_constant_points<Real>(task);
  }
  if constexpr (!kIsFallback) {
    if (constant && !normals) {
      return skin_vertices<Method, Real, Rest::kConstant, Out::kPositions>(task);
    }
  }
  if constexpr (!kIsFallback && !kIsExact) {
    if (constant) return skin_vertices<Method, Real, Rest::kConstant, Out::kNormalsToo>(task);
  }
  return skin_vertices<Method, Real, Rest::kMoving, Out::kAsTask>(task);
}

// One sweep of a method that relaxes, over some vertices.
template <class Method, class Real>
bool relax(const RelaxTask<Scalar<Real>>& task) {
  using T = Scalar<Real>;
  PoseArrays<T> arrays;
  arrays.common_scale = task.joints->common_scale.data();
  arrays.parameters = task.parameters.data();
  const PackedRig<T>& rig = *task.rig;
  const T* morph_weights = task.joints->morph_weights.data();
  // Only the last sweep uses morph targets, and only the last sweep has `rest`.
  const std::vector<typename PackedRig<T>::Morph> none;
  const auto& morphs = task.surface.rest == nullptr ? none : rig.morphs;
  FiniteCheck<Real> finite{splat<Real>(0)};
  for (VertexIndex i = 0; i < task.vertices.count; ++i) {
    const VertexIndex v = task.vertices.first + i;
    for (int frame = 0; frame < kFramesPerBlock; frame += kLanes<Real>) {
      const Vec3<Real> rest = at_rest<Real>(
          rig.positions.data(), morphs, &PackedRig<T>::Morph::positions, morph_weights + frame, v);
      const Vec3<Real> p = Method::relax(vertex_of<Real>(task, v, rest),
                                         Surface<Real>(task.surface, arrays, frame, task.sweep));
      finite.add(p);
      store(p, task.to + std::size_t{v} * 3 * kFramesPerBlock + frame);
    }
  }
  return finite.holds();
}

// Writes vertices at rest, with their morph targets: relax() smooths them too.
template <class Real>
void place_rest(const RelaxTask<Scalar<Real>>& task) {
  using T = Scalar<Real>;
  const PackedRig<T>& rig = *task.rig;
  for (VertexIndex i = 0; i < task.vertices.count; ++i) {
    const VertexIndex v = task.vertices.first + i;
    for (int frame = 0; frame < kFramesPerBlock; frame += kLanes<Real>) {
      store(at_rest<Real>(rig.positions.data(), rig.morphs, &PackedRig<T>::Morph::positions,
                          task.joints->morph_weights.data() + frame, v),
            task.to + std::size_t{v} * 3 * kFramesPerBlock + frame);
    }
  }
}

// The struct whose formulas run in lanes: Method::Formula, if several methods share one and only
// differ in their bind.
template <class Method>
struct FormulaOf {
  using Type = Method;
};
template <class Method>
requires requires {
  typename Method::Formula;
}
struct FormulaOf<Method> {
  using Type = typename Method::Formula;
};

template <template <class> class MethodOf, class T>
constexpr MethodKernels<T> kernels_of() {
  using Real = Lanes<T>;
  using Method = typename FormulaOf<MethodOf<Real>>::Type;
  if constexpr (requires { &MethodOf<double>::sweep_count; }) {
    return {JointForm::kOwn, 0, 0, nullptr, nullptr, relax<Method, Real>, place_rest<Real>};
  } else {
    constexpr JointForm kForm = joint_form<Method>();
    return {kForm,
            kForm == JointForm::kOwn ? Elements<typename Method::Joint>::kCount : 0,
            part_elements<Method>(),
            prepare<Method, Real>,
            skin<Method, Real>,
            nullptr,
            nullptr};
  }
}

// The kernels of the methods of a unit, in its order.
template <class T, template <class> class... Methods>
constexpr std::array<MethodKernels<T>, sizeof...(Methods)> tables_of() {
  return {kernels_of<Methods, T>()...};
}

// The hooks of Method<double>.
template <class Method>
constexpr MethodHooks hooks_of() {
  MethodHooks hooks{};
  hooks.is_rigid = kIsRigid<Method>;
  if constexpr (requires { &Method::bind; }) hooks.bind = &Method::bind;
  if constexpr (requires { &Method::bind_form; }) hooks.bind_form = &Method::bind_form;
  if constexpr (requires { &Method::pose_joints; }) hooks.pose_joints = &Method::pose_joints;
  if constexpr (requires { &Method::scale_pivot; }) hooks.scale_pivot = &Method::scale_pivot;
  if constexpr (requires { &Method::is_tracked; }) hooks.is_tracked = &Method::is_tracked;
  if constexpr (requires { &Method::base; }) hooks.base = &Method::base;
  if constexpr (requires { &Method::sweep_count; }) hooks.sweep_count = &Method::sweep_count;
  return hooks;
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
