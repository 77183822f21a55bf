// Paths of output files: their folders, links and temporary names, and the message of a failure.

#pragma once

#include <string>

namespace skinbake {

std::string folder_of(const std::string& path);

// Throws Error (kOutput) if the path leads through a link that another user may have placed to
// misdirect the output: its folder is sticky and everybody can write it, as /tmp, and the link
// belongs neither to this user nor to the folder's owner. Linux has the same rule
// (protected_symlinks) where it is switched on.
void require_own_links(const std::string& path);
// The first such link; empty: none.
std::string foreign_link_in(const std::string& path);

// Resolves symbolic links, so that writing to a link replaces the file to which it points, even if
// that file does not exist yet.
std::string resolved_links(const std::string& path);

// A random name beside the target. Process numbers would repeat on a shared file system.
std::string unused_name(const std::string& target);

// Throws Error (kOutput, OUTPUT_NOT_WRITTEN): "cannot <action>: <cause>; <remedy>". `cause`: errno.
[[noreturn]] void fail_output(const std::string& path, const char* action, int cause);

}  // namespace skinbake
