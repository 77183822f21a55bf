// `skinbake list methods`: prints the available methods, formats, metrics or targets.

#pragma once

#include <string>

namespace skinbake::cli {

struct ListOptions {
  std::string topic;  // "methods", "formats", "metrics", "targets"
  bool json = false;
};

// Returns the exit code.
int run_list(const ListOptions& options);

}  // namespace skinbake::cli
