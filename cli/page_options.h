// --html, --markdown and --junit: a run's report, shown.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "skinbake/report_view.h"

namespace skinbake::cli {

struct PageOptions {
  std::string html, markdown, junit;  // files; empty: not asked for
  bool view = false;                  // the mesh itself on the page

  // Those that were asked for.
  std::vector<std::pair<PageFormat, std::string>> given() const;
};

void add_page_options(CLI::App& command, PageOptions& options);

// Adds --view, of commands that evaluate a rig.
void add_view_option(CLI::App& command, PageOptions& options);

}  // namespace skinbake::cli
