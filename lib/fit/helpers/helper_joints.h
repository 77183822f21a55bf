// Turns the motions of helpers into joints with keys.

#pragma once

#include <string>

#include "fit/helpers/helpers.h"
#include "skinbake/rig_changes.h"

namespace skinbake::fit {

// Sets the helpers, the influences and the helpers' keys of the changes, whose clips are those of
// the problem. A helper is a child of the joint that moves most of its vertices, so that it follows
// that joint in clips without keys of its own. `name`: helpers are called name.0, name.1 … Throws
// Error (kInput, HELPERS_IMPOSSIBLE) if every joint of a helper's vertices is sheared or changes
// its scale.
void add_helper_joints(const Problem& problem, const HelperFit& fit, const std::string& name,
                       RigChanges& changes);

// Whether a helper can be a child of the joint in all frames of the problem.
bool can_have_helper(const Problem& problem, JointIndex joint);

}  // namespace skinbake::fit
