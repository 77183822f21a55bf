// The names of the arrays that stand beside a report.

#pragma once

#include <string>
#include <vector>

namespace skinbake {

// "run.json" -> "run.Body.walk.dqs.per_vertex.npy"; without names "run.per_vertex.npy".
std::string per_vertex_path(const std::string& report, const std::vector<std::string>& names);

// The paths of the arrays that a report names, which are beside it; the rest of the report is not
// checked. None if the file cannot be read or is no report, or if it has more than 32 MiB: a
// report whose arrays are files of their own is small.
std::vector<std::string> arrays_named_by(const std::string& report);

}  // namespace skinbake
