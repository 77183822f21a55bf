// What can go wrong: an Error ends the run, an Issue is a finding that the run survives.

#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace skinbake {

// Why a run cannot go on. The value is the exit code of the command line.
enum class ErrorKind {
  kUsage = 2,          // the request makes no sense: no such clip, a frame outside it
  kInput = 3,          // an input is missing, malformed or unsupported
  kOutput = 4,         // an output could not be written
  kNotComparable = 5,  // two things of different size were to be compared
};

// A place in an input.
struct Location {
  std::string file;     // as the user named it
  std::string pointer;  // JSON pointer (RFC 6901) into it, or empty: "/meshes/0/primitives/1"
};

// Ends the run. `what()` is one line: file, element, cause, remedy.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, std::string code, const std::string& message, Location location = {});

  ErrorKind kind() const { return kind_; }
  const std::string& code() const { return code_; }  // stable UPPER_SNAKE word
  const Location& location() const { return location_; }

 private:
  ErrorKind kind_;
  std::string code_;
  Location location_;
};

// Thrown by `bake` when `BakePlan::cancelled` says so.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("interrupted") {}
};

enum class Severity { kError, kWarning, kInfo };
std::string_view to_string(Severity severity);

// A coded finding about an input or about the run. The codes are listed in lib/base/issue.h.
struct Issue {
  std::string code;
  Severity severity = Severity::kWarning;
  std::string file;     // as the user named it
  std::string pointer;  // JSON pointer into the file
  std::string message;  // one line; says what was done about it
  std::int64_t count = 1;
};

using Issues = std::vector<Issue>;

// Sorted by file, pointer, code; one entry for each (file, pointer, code), counts added up.
Issues sorted_unique(Issues issues);

}  // namespace skinbake
