// Manual pages in the language of man(7), as groff reads it.

#pragma once

#include <span>
#include <string>

#include "describe/commands.h"

namespace skinbake::cli {

// The page of one of the commands: "skinbake-bake.1"; of the program "skinbake.1".
std::string man_page_name(const DescribedCommand& command);
std::string man_page(const DescribedCommand& command, std::span<const DescribedCommand> commands);

}  // namespace skinbake::cli
