// Errors and issues: an Error is an exception that ends a run; an Issue is a finding that does not
// end the run.

#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace skinbake {

// The part of a run that failed.
enum class ErrorKind {
  kUsage,          // the request is invalid: an unknown clip, a frame outside the clip
  kInput,          // an input is missing, malformed or unsupported
  kOutput,         // an output could not be written
  kNotComparable,  // two inputs of a comparison differ in size or kind
};

// A position in an input file.
struct Location {
  std::string file;     // path as the caller passed it
  std::string pointer;  // JSON pointer (RFC 6901) into the file, or empty: "/meshes/0/primitives/1"
};

// The exception that ends a run. `what()` is one line: file, element, message; remedy. It names
// settings of the library, never options of a command line.
class Error : public std::runtime_error {
 public:
  // The table of codes has the kind of a code, and its remedy, which `remedy` replaces if it is not
  // empty. A code without a remedy in the table has it in its messages.
  explicit Error(std::string code, std::string message, Location location = {},
                 std::string remedy = {});

  ErrorKind kind() const { return kind_; }
  const std::string& code() const { return code_; }        // UPPER_SNAKE, stable
  const std::string& message() const { return message_; }  // without location and remedy
  const std::string& remedy() const { return remedy_; }    // may be empty
  const Location& location() const { return location_; }

 private:
  ErrorKind kind_;
  std::string code_, message_, remedy_;
  Location location_;
};

// The exception that `bake` throws after the flag `BakePlan::cancelled` has become true.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("interrupted") {}
};

enum class Severity { kError, kWarning, kInfo };
std::string_view to_string(Severity severity);

// A finding about an input or about the run. lib/base/ISSUES.md lists all codes.
struct Issue {
  std::string code;
  Severity severity = Severity::kWarning;
  std::string file;        // path as the caller passed it
  std::string pointer;     // JSON pointer into the file
  std::string message;     // one line: the finding, and how the run handled it
  std::int64_t count = 1;  // occurrences at this position
};

using Issues = std::vector<Issue>;

// Returns the issues sorted by file, pointer and code, with one entry for each combination of the
// three; the counts of merged entries are added.
Issues sorted_unique(Issues issues);

}  // namespace skinbake
