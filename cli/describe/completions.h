// Completion of commands, options and values in shells.

#pragma once

#include <span>
#include <string>

#include "describe/commands.h"

namespace skinbake::cli {

// Scripts that the shells load by their names: skinbake, _skinbake and skinbake.fish.
std::string bash_completion(std::span<const DescribedCommand> commands);
std::string zsh_completion(std::span<const DescribedCommand> commands);
std::string fish_completion(std::span<const DescribedCommand> commands);

}  // namespace skinbake::cli
