// A list of methods in one text: the value of --methods.

#pragma once

#include <string>
#include <vector>

namespace skinbake {

// "lbs,dqs:sign=first,scale=joint,cor" -> the canonical names of three methods. A part "NAME=VALUE"
// without ':' is a parameter of the method before it. "all" stands for every method that the list
// does not name. Throws Error (kUsage) if a method is unknown or occurs twice.
std::vector<std::string> split_methods(const std::string& list);

// The methods as a list for split_methods().
std::string joined(const std::vector<std::string>& methods);

}  // namespace skinbake
