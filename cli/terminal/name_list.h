// Names of files, meshes or clips in a message.

#pragma once

#include <span>
#include <string>

namespace skinbake::cli {

// "'Run', 'Walk' and 3 more": the first eight names, made safe to print.
std::string name_list(std::span<const std::string> names);

}  // namespace skinbake::cli
