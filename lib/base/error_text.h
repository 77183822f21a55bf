#pragma once

#include <string_view>

#include "skinbake/error.h"

namespace skinbake {

// What the error says, without the file and the pointer before it. It lives as long as the error.
std::string_view unlocated_message(const Error& error);

}  // namespace skinbake
