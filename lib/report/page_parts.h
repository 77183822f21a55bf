// What every HTML page has inside.

#pragma once

#include <string_view>

namespace skinbake {

std::string_view page_style();
std::string_view page_script();  // the page says all without it: it tells values under the pointer

}  // namespace skinbake
