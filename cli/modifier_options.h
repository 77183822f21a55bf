// --influences, --weights, --profile and --twist.

#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "skinbake/modifiers.h"

namespace skinbake::cli {

// Each may be repeated; they are collected in the order in which they were typed. `side_by_side`:
// of a command that evaluates every profile beside the others; else they are modifiers like others.
void add_modifier_options(CLI::App& command, std::vector<Modifier>& modifiers,
                          std::vector<EngineProfile>* side_by_side = nullptr);

}  // namespace skinbake::cli
