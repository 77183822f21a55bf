// A human body of 17 bones, each of which has a triangle. Two arms and the hips move in its clip.

#pragma once

#include <string>

namespace skinbake::fuzz {

// The text of a glTF file.
std::string small_humanoid();

}  // namespace skinbake::fuzz
