// Everything about a plan that is the same for all blocks: its rigs as lanes read them, and its
// methods, bound once however many want their positions.

#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "bake/bind.h"
#include "bake/kernels.h"
#include "rig/corner_groups.h"
#include "skinbake/bake.h"
#include "skinbake/normals.h"

namespace skinbake {

// The normals that a sink wants, if any.
std::optional<NormalKind> wanted_normals(const FrameSink* sink);

struct Job {
  explicit Job(const BakePlan& bake_plan);

  // A rig as lanes read it.
  struct Skin {
    Skin(const Rig& of, const Vec3<double>& centre, bool is_exact);

    const Rig* rig;
    Binding<float> binding;
    std::optional<Binding<double>> exact_binding;
  };

  // A method of the plan, bound to a rig.
  struct Evaluated {
    Method method;
    std::size_t skin = 0;  // which of `skins`
    Bound bound;
    BoundNumbers<float> numbers;
    BoundNumbers<double> exact_numbers;  // empty unless is_exact()
    std::size_t base = 0;                // of a method that relaxes: which of `methods` it relaxes

    ScalePivot pivot() const;
    int sweep_count() const;  // 0: it does not relax
  };

  // Whether a method wants rigid joints with that pivot.
  bool needs_rigid(ScalePivot pivot) const;
  // Whether joints are wanted in double: for the exact reference, or for a method's parts.
  bool needs_doubles() const;
  // Whether a method wants its joints followed through time.
  bool needs_tracking() const;
  // Whether normals of methods[r] are made: one of its sinks wants such ones, and there are some.
  bool makes_normals(std::size_t r, const std::vector<FrameSink*>& sinks, NormalKind kind) const;
  // The same of the tangents beside such normals.
  bool makes_tangents(std::size_t r, const std::vector<FrameSink*>& sinks, NormalKind kind) const;
  // Whether skinned normals of methods[r] are made and one of its sinks wants them whole.
  bool keeps_skinned(std::size_t r, const std::vector<FrameSink*>& sinks) const;
  bool is_exact() const { return plan.reference.kind == Reference::Kind::kExact; }
  bool has_method_reference() const { return plan.reference.kind == Reference::Kind::kMethod; }

  const BakePlan& plan;
  Vec3<double> centre;
  RigidFactors rigid_factors;
  PoseSampler sampler;
  bool stretched;
  std::deque<Skin> skins;         // the plan's rig, then those that runs have instead
  const Binding<float>& binding;  // of the plan's rig
  // Those of the runs, then the reference and what these relax, unless they are runs already.
  std::vector<Evaluated> methods;
  std::size_t reference = 0;  // if has_method_reference(): which of `methods`
  CornerGroups corners;       // if a sink wants geometric normals

 private:
  void add(const Method& method, std::size_t skin);
  std::size_t find_or_add(const Method& method, std::size_t skin);
};

}  // namespace skinbake
