// Runs Method::bind, a method's work once per rig, on several threads.

#pragma once

#include "methods/method.h"
#include "skinbake/bake.h"

namespace skinbake {

// The rig that a method is bound to, its joint tree, and the centre of its mesh.
struct BindTarget {
  const Rig& rig;
  const JointTree& tree;
  const Vec3<double>& centre;
};

// Binds a method to a rig of the plan, or loads the bind from plan.bind_cache. Empty if the method
// does not have a bind. Throws Cancelled, and Errors of the method.
BindData bind_method(const Method& method, const BindTarget& to, const BakePlan& plan);

// Returns the same data with its numbers rounded to T.
template <class T>
BindNumbers<T> rounded(const BindData& bind_data);

}  // namespace skinbake
