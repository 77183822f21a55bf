// Files that a document names. A file is read only if it lies in the document's folder or below,
// unless files outside are allowed. The opened file decides, not its path: a link that another
// program replaces meanwhile cannot lead out.

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/aligned_array.h"
#include "skinbake/gltf.h"

namespace skinbake::gltf {

using Bytes = AlignedArray<std::uint8_t>;
using ByteSpan = std::span<const std::uint8_t>;

// The encoded bytes of an image.
struct ImageFile {
  std::string mime_type;
  Bytes bytes;
};

struct FileContent {
  Bytes bytes;
  std::string problem;          // empty, or the end of a sentence about the file
  std::uint64_t too_large = 0;  // the file's size, if it exceeds the limit
  bool is_missing = false;      // the path does not lead to a file
};

// Reads a regular file. Allocates nothing for a file larger than `limit`.
FileContent read_file(const std::string& path, std::uint64_t limit = UINT64_MAX);

// The path of the file that a document at `document_path` names by `uri`, wherever it lies and even
// if it does not exist; empty for a data URI and for a URI that names no file.
std::string named_file(const std::string& document_path, const std::string& uri);

struct LinkedFile {
  std::string path;         // as it can be opened; empty if the URI is refused
  std::string refusal;      // empty, or the end of a sentence about the URI
  bool is_outside = false;  // the URI is refused only because it leads out of the folder
  FileContent content;
};

// Reads the file that a document at `document_path` names by `uri`, which is not a data URI.
LinkedFile read_linked(const std::string& document_path, const std::string& uri,
                       bool allow_outside);

// Returns the record of a file that was read, as reports list it.
InputFile input_record(const char* role, const std::string& shown_as, ByteSpan bytes);

}  // namespace skinbake::gltf
