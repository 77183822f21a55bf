// The widest crack of a mesh in the clips of its runs.

#pragma once

#include <optional>

#include "metrics/topology/cracks.h"
#include "report/report.h"

namespace skinbake {

struct RunCrack {
  Crack crack;
  const RunRecord* run = nullptr;  // whose clip opens it
};

// By linear blending, whatever the methods of the runs. None: no crack opens.
std::optional<RunCrack> widest_crack_of(const MeshRecord& mesh);

}  // namespace skinbake
