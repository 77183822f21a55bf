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
  std::string problem;  // empty: none; else the end of a sentence about the file
};

// The whole of a regular file of at most 4 GiB.
FileContent read_file(const std::string& path);

struct Container {
  std::string_view json;
  ByteSpan bin;
  bool has_bin = false;
};

// Throws Error if the container is broken.
Container split_container(const Document& document, ByteSpan file);

// Throws Error if the text is not JSON, or nested deeper than any glTF.
nlohmann::json parse_json(const Document& document, std::string_view text,
                          const std::string& remedy = "is this a glTF 2.0 file?");

}  // namespace skinbake::gltf
