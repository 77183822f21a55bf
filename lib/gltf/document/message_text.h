// The text by which an error or an issue names an element of a file and its position.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skinbake::gltf {

// An element of a file, as messages name it, and its position.
struct Element {
  std::string name;     // "mesh 'Body' primitive 2, JOINTS_0"
  std::string pointer;  // "/meshes/0/primitives/2/attributes/JOINTS_0"
};

// Throws Error (kInput) with the message "<element> <what>" at the element of the file `path`.
[[noreturn]] void fail_at(const char* code, const std::string& path, const Element& element,
                          const std::string& what);

// Returns the name of element `index` of the array `kind` + "s": "mesh 'Body'", or "node 3" for an
// element without a name.
std::string describe(const char* kind, std::size_t index, const std::string& name);

// Returns the text in quotes, on one line and shortened: fit for a message.
std::string in_quotes(std::string_view text);

// Returns a path as issues and reports show it: of an absolute path, the file name alone.
std::string shown_path(const std::string& path);

}  // namespace skinbake::gltf
