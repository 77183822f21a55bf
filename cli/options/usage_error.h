// A command line that the parser accepts and the command does not.

#pragma once

#include <stdexcept>
#include <string>

namespace skinbake::cli {

// An option whose value is wrong, or that does not fit the other options. main() prints the message
// with a pointer to the command's --help and returns exit code 2.
class UsageError : public std::runtime_error {
 public:
  UsageError(const std::string& option, const std::string& message)
      : std::runtime_error(option + ": " + message) {}
};

}  // namespace skinbake::cli
