// A method's work once per rig: Method::bind, on several threads.

#pragma once

#include "methods/method.h"
#include "skinbake/bake.h"

namespace skinbake {

// What a method is bound to: a rig, its tree, the middle of its mesh.
struct BindTarget {
  const Rig& rig;
  const JointTree& tree;
  const Vec3<double>& centre;
};

// What the method's bind makes of a rig of the plan; nothing if it has none. Obeys plan.cancelled.
Bound bind_method(const Method& method, const BindTarget& to, const BakePlan& plan);

// The same numbers as lanes read them.
template <class T>
BoundNumbers<T> rounded(const Bound& bound);

}  // namespace skinbake
