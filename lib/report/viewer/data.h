// The 3D viewer as a part of the HTML page.

#pragma once

#include <string>

#include "report/viewer/viewer.h"

namespace skinbake {

// The viewer's data as JSON that is safe between <script> tags, whatever names it contains.
std::string view_data(const View& view);

}  // namespace skinbake
