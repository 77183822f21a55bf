// The data that all blocks of a plan share: the rigs as lanes read them, and the methods. Each
// method is bound once, even if several runs and the reference need its positions.

#pragma once

#include <deque>
#include <optional>
#include <type_traits>
#include <vector>

#include "bake/bind/bind.h"
#include "bake/kernels/kernels.h"
#include "rig/surface/weld.h"
#include "skinbake/bake.h"
#include "skinbake/frames.h"

namespace skinbake {

// The kind of normals that a sink wants; none if it does not read normals.
std::optional<NormalKind> wanted_normals(const FrameSink* sink);

// A rig as lanes read it.
struct PackedSkin {
  PackedSkin(const Rig& of, const Vec3<double>& centre, bool is_exact);

  template <class T>
  const PackedRig<T>& rig_of() const {
    if constexpr (std::is_same_v<T, float>) return packed;
    if constexpr (std::is_same_v<T, double>) return *exact;
  }

  const Rig* rig;
  PackedRig<float> packed;
  std::optional<PackedRig<double>> exact;  // for Reference::kExact
};

// A method of the plan, bound to a rig.
struct BoundMethod {
  template <class T>
  const BindNumbers<T>& numbers_of() const {
    if constexpr (std::is_same_v<T, float>) return numbers;
    if constexpr (std::is_same_v<T, double>) return exact_numbers;
  }
  ScalePivot pivot() const;
  int sweep_count() const;  // 0: the method does not relax

  Method method;
  std::size_t skin = 0;  // index into Job::skins
  BindData parts;        // without entries: kernels read those rounded
  BindNumbers<float> numbers;
  BindNumbers<double> exact_numbers;  // empty unless Job::is_exact()
  std::size_t base = 0;               // of a method that relaxes: index of the method it relaxes
};

struct Job {
  // Precondition: the plan is valid (validate), and outlives the job.
  explicit Job(const BakePlan& bake_plan);

  // Whether a method needs rigid joints with that pivot.
  bool needs_rigid(ScalePivot pivot) const;
  // Whether joints are needed in double: for the exact reference, or for a method's parts.
  bool needs_doubles() const;
  // Whether a method needs its joints tracked through time.
  bool needs_tracking() const;
  // Whether normals of a kind are computed for methods[r]: a sink wants them and they exist.
  bool makes_normals(std::size_t r, const std::vector<FrameSink*>& sinks, NormalKind kind) const;
  // Whether tangents are computed beside these normals.
  bool makes_tangents(std::size_t r, const std::vector<FrameSink*>& sinks, NormalKind kind) const;
  // Whether skinned normals of methods[r] are computed, and kept for the whole mesh: a sink needs
  // them whole, or primitives without normals get geometric ones.
  bool keeps_skinned(std::size_t r, const std::vector<FrameSink*>& sinks) const;
  bool is_exact() const { return plan.reference.kind == Reference::Kind::kExact; }
  bool has_method_reference() const { return plan.reference.kind == Reference::Kind::kMethod; }
  bool has_reference_frames() const { return plan.reference.kind == Reference::Kind::kFrames; }
  const PackedRig<float>& rig() const { return skins.front().packed; }

  const BakePlan& plan;
  Vec3<double> centre;
  RigidFactors rigid_factors;
  PoseSampler sampler;
  // Whether joints are stretched (RigidFactors::is_stretched), for the bake and for the exact
  // reference, which does not neglect small stretches.
  bool stretched, exact_stretched;
  std::deque<PackedSkin> skins;  // the plan's rig, then the other rigs of its runs
  // The methods of the runs. Then, unless they are runs, the method of the reference and the
  // methods that other methods relax.
  std::vector<BoundMethod> methods;
  std::size_t reference = 0;  // if has_method_reference(): index into `methods`
  CornerGroups corners;       // if a sink wants geometric normals
  // If a sink wants skinned normals: of the primitives that do not have normals.
  CornerGroups corners_without_normals;

 private:
  bool makes_normals(NormalKind kind) const;  // for one of the runs
  void add(const Method& method, std::size_t skin);
  std::size_t find_or_add(const Method& method, std::size_t skin);
};

}  // namespace skinbake
