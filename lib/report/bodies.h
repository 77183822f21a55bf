// Finds the bodies of a report, and adds up the numbers of their meshes.

#pragma once

#include <vector>

#include "report/report.h"

namespace skinbake {

// Sets MeshRecord::follows_joint of the meshes that one joint moves rigidly: props, such as swords.
void find_props(std::vector<MeshRecord>& meshes);

// The skinned meshes of each skeleton as one, without props, if they are two or more. Sums over
// vertices, and of volumes, frame by frame; no frame is evaluated again. Preconditions: find_props
// was called, and all meshes have the same runs.
std::vector<BodyRecord> bodies_of(const std::vector<MeshRecord>& meshes);

}  // namespace skinbake
