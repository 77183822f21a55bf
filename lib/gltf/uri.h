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
  std::string path;         // decoded; absolute only if outside is allowed
  std::string refusal;      // empty: none; else the end of a sentence about the URI
  bool is_outside = false;  // refused only because of the place it leads to
};

// Refuses other schemes and, unless outside is allowed, what leaves the folder: absolute paths,
// "..".
RelativePath relative_path(std::string_view uri, bool allow_outside);

// Whether a file is in a folder or below it once symbolic links are resolved. Also if the file does
// not exist: then there is nothing to be read.
bool is_inside(const std::string& file, const std::string& folder);

// A member's name inside a JSON pointer (RFC 6901).
std::string pointer_token(const std::string& name);

// In quotes, on one line and not too long: fit for a message.
std::string in_quotes(std::string_view text);

}  // namespace skinbake::gltf
