// A command line that the parser accepts and the command does not.

#pragma once

#include <stdexcept>
#include <string>

#include "skinbake/error.h"

namespace skinbake::cli {

// An option whose value is wrong, or that does not fit the other options. main() prints the message
// with a pointer to the command's --help and returns exit code 2.
class UsageError : public std::runtime_error {
 public:
  UsageError(const std::string& option, const std::string& message)
      : std::runtime_error(option + ": " + message) {}
};

// Throws Error (kUsage): an option that selects no element of the input, or several.
[[noreturn]] inline void throw_usage(const std::string& code, const std::string& message) {
  throw Error(code, message);
}

}  // namespace skinbake::cli
