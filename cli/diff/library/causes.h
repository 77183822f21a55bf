// Why the frames of two rigs differ: what their data have different.

#pragma once

#include <set>
#include <string>

#include "compare/library_pairs.h"
#include "diff/library/rig_pairs.h"
#include "report/report.h"

namespace skinbake::cli {

// The id of a mesh of a library, "knight/Body". The libraries may be two files, which have no name.
std::string id_in(const std::string& file, const std::string& mesh);

// Compares the data of two rigs if the frames of a mesh differ or cannot be compared, or if its
// triangles differ, and adds what is different to the report. `other_triangles`: ids of meshes.
void add_causes(const FilePair& files, const RigPairs& pairs,
                const std::set<std::string>& other_triangles, Report& report);

}  // namespace skinbake::cli
