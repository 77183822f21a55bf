#pragma once

#include <string_view>

#include "skinbake/error.h"

namespace skinbake {

// Returns the error's message without its location. The text lives as long as the error.
std::string_view unlocated_message(const Error& error);

}  // namespace skinbake
