// --influences, --weights, --profile and --twist.

#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "skinbake/modifiers.h"

namespace skinbake::cli {

// Each may be repeated; they are collected in the order in which they were typed.
void add_modifier_options(CLI::App& command, std::vector<Modifier>& modifiers);

}  // namespace skinbake::cli
