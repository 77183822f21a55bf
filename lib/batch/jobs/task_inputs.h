// The files that tasks read.

#pragma once

#include <string_view>

namespace skinbake {

// Whether `diff` of two folders may read a file of this name: a cache, a rig, or the sidecar of
// one. Other files, such as reports, may come and go.
bool is_of_library(std::string_view name);

}  // namespace skinbake
