// The JSON and the binary chunk of a file: plain .gltf or the GLB container.
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

#include "gltf/document/linked_file.h"

namespace skinbake::gltf {

struct Container {
  std::string_view json;
  ByteSpan bin;
  bool has_bin = false;
  std::size_t trailing_bytes = 0;  // after the length that the GLB declares
  std::size_t ignored_chunks = 0;  // of other types, and after the first of a type
};

// Splits the bytes of the file `path`. Throws Error (kInput) if the container is damaged.
Container split_container(const std::string& path, ByteSpan file);

// Parses the JSON of the file `path`. Throws Error (kInput) if the text is not JSON, or is nested
// deeper than kMaxJsonDepth.
nlohmann::json parse_json(const std::string& path, std::string_view text);

}  // namespace skinbake::gltf
