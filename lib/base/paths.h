// Paths: kinds of files, extensions, links, folders, and outputs that would replace an input.

#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "skinbake/error.h"

namespace skinbake {

// What a path leads to, links followed. A path that cannot be examined leads to neither kind.
inline bool is_regular_file(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::is_regular_file(path, unknown);
}

inline bool is_folder(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::is_directory(path, unknown);
}

// Whether a path ends in an extension such as ".glb", which is in lower case. ASCII letters of the
// path may have any case; the result does not depend on the locale.
bool has_extension(std::string_view path, std::string_view extension);

// Says why another user than this one and root may have written a file or a folder; empty: none can
// have. The group of this user may write, as ssh allows for its files.
std::string distrust_of(const struct stat& status);

std::string folder_of(const std::string& path);

// Throws Error (kOutput) if the path leads through a link that another user may have placed to
// misdirect the output: its folder is sticky and everybody can write it, as /tmp, and the link
// belongs neither to this user nor to the folder's owner. Linux has the same rule
// (protected_symlinks) where it is switched on.
void require_own_links(const std::string& path);
// The first link that require_own_links() refuses; empty: none.
std::string foreign_link_in(const std::string& path);

// Resolves symbolic links, so that writing to a link replaces the file to which it points, even if
// that file does not exist yet.
std::string resolved_links(const std::string& path);

// Throws Error (kOutput, OUTPUT_NOT_WRITTEN): "cannot <action>: <cause>; <remedy>". `cause`: errno.
[[noreturn]] void fail_output(const std::string& path, const char* action, int cause);

// Two paths are one file, perhaps through a link or a second mount, if they have a key in common.
// The first key is the absolute path without links. The file need not exist.
std::vector<std::string> file_keys(const std::string& path);

struct NamedInput {
  std::string path;
  std::string role;  // as in InputFile; empty: unknown
};

// `files` with the roles that `inputs` give them.
std::vector<NamedInput> named_inputs(const std::vector<std::string>& files,
                                     const std::vector<InputFile>& inputs);

// Throws Error (kUsage, OUTPUT_IS_INPUT) if an output would replace an input. A hard link to an
// input is allowed: the output replaces that name, and the input keeps its own.
void require_no_input(const std::vector<std::string>& outputs,
                      const std::vector<NamedInput>& inputs);

// A path as reports contain it: a relative path is unchanged; of an absolute path the last part
// remains, so that a report does not depend on the machine.
std::string shown(const std::string& path);

}  // namespace skinbake
