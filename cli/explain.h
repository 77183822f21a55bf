// --explain: what moves the vertices that are farthest from the reference.

#pragma once

#include <cstddef>
#include <vector>

#include "skinbake/skinbake.h"

namespace skinbake::cli {

// Of each method of the report the `count` vertices with the largest errors, the worst first, each
// at its worst frame. Vertices without an error are not among them.
std::vector<Explanation> explain_worst(const Report& report, std::size_t count);

}  // namespace skinbake::cli
