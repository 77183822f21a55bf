// From a path to JSON and binary chunk: plain .gltf or the GLB container.
//
//   offset  type     field
//        0  char[4]  "glTF"
//        4  uint32   version, 2
//        8  uint32   length of the whole file
//       12           chunks: uint32 length, uint32 type, bytes; the first is JSON, the second BIN
//
// glTF 2.0 specification, "GLB File Format Specification". Little-endian.

#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "gltf/document.h"

namespace skinbake::gltf {

struct FileContent {
  Bytes bytes;
  std::string problem;          // empty: none; else the end of a sentence about the file
  std::uint64_t too_large = 0;  // the file's size, if that is more than the limit
};

// The whole of a regular file. Nothing is allocated for one that is larger than `limit`.
FileContent read_file(const std::string& path, std::uint64_t limit);

struct Container {
  std::string_view json;
  ByteSpan bin;
  bool has_bin = false;
  std::size_t trailing_bytes = 0;  // after the length that the GLB declares
};

// Throws Error if the container is broken.
Container split_container(const Document& document, ByteSpan file);

// Throws Error if the text is not JSON, nested deeper than any glTF, or larger than the budget.
nlohmann::json parse_json(Document& document, std::string_view text);

}  // namespace skinbake::gltf
