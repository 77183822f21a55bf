// The kinds of files that are often given in place of a glTF file.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace skinbake {

struct FileKind {
  std::string_view name;    // "a binary FBX file"
  std::string_view remedy;  // the way from the file to glTF
  std::string_view cache;   // id of the cache format, if caches of it can be read; empty: none
};

// The first bytes that find_file_kind may need.
inline constexpr std::size_t kFileHeadBytes = 4096;

// Returns the kind of a file by its first bytes, whatever its extension; null: unknown, or glTF.
// `head`: the first kFileHeadBytes of the file or more, or the whole file. `size`: of the file.
// The result is valid for the life of the program.
const FileKind* find_file_kind(std::string_view head, std::uint64_t size);

// The same for a file that exists. Throws Error (kInput, FILE_UNREADABLE).
const FileKind* find_file_kind(const std::string& path);

}  // namespace skinbake
