// What commands that work for a while have in common: threads, and how much they say.

#pragma once

#include <CLI/CLI.hpp>

#include "console.h"

namespace skinbake::cli {

struct Habits {
  int threads = 0;  // 0: one for each processor
  bool quiet = false, verbose = false;
  When progress = When::kAuto;
  When color = When::kAuto;

  When bar() const { return quiet ? When::kNever : progress; }
};

// Adds --threads, --quiet, --verbose, --progress and --color.
void add_habits(CLI::App& command, Habits& habits);

// Lets them hold for every message from now on.
void configure_console(const Habits& habits);

}  // namespace skinbake::cli
