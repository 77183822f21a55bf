// What every HTML page has inside.

#pragma once

#include <string_view>

namespace skinbake {

std::string_view page_style();
std::string_view page_script();  // the page says all without it: it tells values under the pointer
std::string_view viewer_script();  // of the mesh in space; empty in a build without it

// Base64 of their SHA-256, by which the page's policy knows them.
std::string_view page_script_hash();
std::string_view viewer_script_hash();

}  // namespace skinbake
