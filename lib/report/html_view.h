// The mesh in space, as a part of the HTML page.

#pragma once

#include <string>

#include "skinbake/view.h"

namespace skinbake {

// What the viewer shows, as JSON that can stand between <script> tags whatever names it has.
std::string view_data(const View& view);

// What the viewer fills, and what is said where it does not run.
std::string view_section();

}  // namespace skinbake
