// URIs of buffers (RFC 3986, RFC 2397): data in the text, or a file in the glTF's folder.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gltf/document.h"

namespace skinbake::gltf {

bool is_data_uri(std::string_view uri);

// The bytes of "data:…;base64,…" or "data:…,…"; nothing if it is malformed.
std::optional<Bytes> decode_data_uri(std::string_view uri);

struct RelativePath {
  std::string path;     // decoded
  std::string refusal;  // empty: none; else the end of a sentence about the URI
};

// Refuses what could leave the folder: other schemes, absolute paths, "..".
RelativePath relative_path(std::string_view uri);

// In quotes, on one line and not too long: fit for a message.
std::string in_quotes(std::string_view text);

}  // namespace skinbake::gltf
