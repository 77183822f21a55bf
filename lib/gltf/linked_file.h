// A file that a document names by URI: read only if it lies where the document may point.

#pragma once

#include <string>

#include "gltf/container.h"
#include "gltf/document.h"

namespace skinbake::gltf {

struct LinkedFile {
  std::string path;         // as it can be opened; empty if refused
  std::string refusal;      // empty: none; else the end of a sentence about the URI
  bool is_outside = false;  // then --allow-outside would read it
  FileContent content;
};

// `uri` is not a data URI. Nothing is allocated for a file larger than what is left of the budget,
// which the caller takes from it.
LinkedFile read_linked(const Document& document, const std::string& uri);

}  // namespace skinbake::gltf
