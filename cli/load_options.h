// Options of every command that reads a rig: which scene is meant, and how far the file is trusted.

#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "skinbake/gltf.h"
#include "skinbake/report.h"

namespace skinbake::cli {

// Adds --max-memory.
void add_max_memory_option(CLI::App& command, std::uint64_t& bytes);

// Adds --scene, --max-memory and --allow-outside.
void add_load_options(CLI::App& command, LoadOptions& options);

// Adds --strict.
void add_strict_option(CLI::App& command, bool& strict);

// What --strict makes of a run that went through: 1 and a message if there were warnings (issues,
// or limits of --warn-… that were exceeded), else 0.
int strict_exit_code(bool strict, const Issues& issues, const std::vector<Check>& checks = {});

}  // namespace skinbake::cli
