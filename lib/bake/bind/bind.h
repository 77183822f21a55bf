// The bind of a method: Method::bind on several threads, and the name of its result in the bind
// cache.

#pragma once

#include <string>

#include "methods/method.h"
#include "skinbake/bake.h"

namespace skinbake {

// ---- The name of a bind in the bind cache.

// A hash of all inputs of a method's bind: positions, triangles, morph targets, influences, joints
// and their parents, the method with its parameters. 32 hexadecimal digits.
std::string bind_key(const Method& method, const Rig& rig, const BakePlan& plan);

// ---- Runs Method::bind, a method's work once per rig, on several threads.

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
