// Extensions of file names.

#pragma once

#include <string_view>

namespace skinbake {

// Whether a path ends in an extension such as ".glb", which is in lower case. ASCII letters of the
// path may have any case; the result does not depend on the locale.
bool has_extension(std::string_view path, std::string_view extension);

}  // namespace skinbake
