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

// Throws Error (kInput, FILE_KIND_UNSUPPORTED or FILE_IS_CACHE): a file is given in place of glTF.
[[noreturn]] void refuse_file_kind(const FileKind& kind, const std::string& path);

// Throws Error (kInput, FILE_IS_REPORT): the file is a JSON document of skinbake, by its schema.
[[noreturn]] void refuse_schema(std::string_view schema, const std::string& path);

// Throws one of these if the path leads to a file of a known kind other than glTF.
void refuse_other_kind(const std::string& path);

}  // namespace skinbake
