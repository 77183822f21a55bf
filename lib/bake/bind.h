// A method's work once per rig: Method::bind, on several threads.

#pragma once

#include "methods/method.h"
#include "skinbake/bake.h"

namespace skinbake {

// What the method's bind makes of the plan's rig; nothing if it has none. Obeys plan.cancelled.
Bound bind_method(const Method& method, const BakePlan& plan, const JointTree& tree,
                  const Vec3<double>& centre);

// The same numbers as lanes read them.
template <class T>
BoundNumbers<T> rounded(const Bound& bound);

}  // namespace skinbake
