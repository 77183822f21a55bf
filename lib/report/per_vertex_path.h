// The names of the arrays that stand beside a report.

#pragma once

#include <string>
#include <vector>

namespace skinbake {

// "run.json" -> "run.Body.walk.dqs.per_vertex.npy"; without names "run.per_vertex.npy".
std::string per_vertex_path(const std::string& report, const std::vector<std::string>& names);

}  // namespace skinbake
