// The methods of several --method.

#pragma once

#include <span>
#include <string>
#include <vector>

namespace skinbake {

// The canonical names of the methods. "all" stands for every method that the others do not name.
// Throws Error (kUsage) if a method is unknown or occurs twice.
std::vector<std::string> method_names(std::span<const std::string> texts);

}  // namespace skinbake
