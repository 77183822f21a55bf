// URIs of buffers and images as the URL standard reads them: data (RFC 2397), and paths of files
// (RFC 3986).

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/aligned_array.h"

namespace skinbake::gltf {

bool is_data_uri(std::string_view uri);

struct UriData {
  AlignedArray<std::uint8_t> bytes;
  std::string problem;  // empty, or the end of a sentence about the element with the URI
};

// Decodes "data:…;base64,…" or "data:…,…". As in browsers, the word base64 has any case, and
// spaces, line breaks and percent-encoded digits may be in the data.
UriData decode_data_uri(std::string_view uri);

struct UriPaths {
  std::vector<std::string> paths;  // at least one, unless the URI is refused
  std::string refusal;             // empty, or the end of a sentence about the URI
  std::string if_missing;          // the refusal if no path leads to a file; empty: none
};

// The paths that a URI can mean, the likeliest first: decoded, then as it is written. A back-slash
// is a slash, or else a character of the name; "." and ".." are resolved. Refuses an empty path and
// a NUL. What looks like a scheme may be the beginning of a name, "a:b.bin".
UriPaths paths_of_uri(std::string_view uri);

}  // namespace skinbake::gltf
