// --methods: several methods in one word.

#pragma once

#include <string>
#include <vector>

namespace skinbake::cli {

// "lbs,dqs:sign=first,scale=joint,cor" -> the canonical names of three methods. A part with '=' but
// without a name of its own (':') is a parameter of the method before it; "all" stands for every
// method there is that is not also named. Throws Error (kUsage) if one is unknown or named twice.
std::vector<std::string> split_methods(const std::string& list);

// The same list again.
std::string joined(const std::vector<std::string>& methods);

}  // namespace skinbake::cli
