// Errors and issues: an Error is an exception that ends a run; an Issue is a finding that does not
// end the run.
//
// Conventions of all headers, unless a function states otherwise:
// - metres, seconds, radians, hertz; y up; arrays are [frame][vertex][axis];
// - references and pointers must stay valid during the call; null is allowed where it is mentioned;
// - functions throw Error with a stable code, and std::bad_alloc;
// - functions may be called by several threads at once. An object with state (a sink, a writer, a
//   metric) serves one bake at a time.

#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// CMakeLists.txt reads the project's version from these three lines.
#define SKINBAKE_VERSION_MAJOR 0
#define SKINBAKE_VERSION_MINOR 2
#define SKINBAKE_VERSION_PATCH 0

// "0.2.0".
#define SKINBAKE_VERSION_STRING                                                \
  SKINBAKE_VERSION_TEXT(SKINBAKE_VERSION_MAJOR)                                \
  "." SKINBAKE_VERSION_TEXT(SKINBAKE_VERSION_MINOR) "." SKINBAKE_VERSION_TEXT( \
      SKINBAKE_VERSION_PATCH)
#define SKINBAKE_VERSION_TEXT(number) SKINBAKE_VERSION_TEXT_OF(number)
#define SKINBAKE_VERSION_TEXT_OF(number) #number

// Grows with every version: 0.2.0 is 200, 1.2.3 is 10203.
#define SKINBAKE_VERSION_NUMBER \
  (SKINBAKE_VERSION_MAJOR * 10000 + SKINBAKE_VERSION_MINOR * 100 + SKINBAKE_VERSION_PATCH)

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

// ---- The version of these headers, and the version of the library with which a program runs.

// The version of the library that is linked or loaded, "0.2.0". It equals SKINBAKE_VERSION_STRING
// unless a shared library was replaced after the program was compiled. Never throws.
std::string_view version();

// ---- The identity of a file that a run has read.

// A file whose bytes were read.
struct InputFile {
  std::string role;  // "rig", "buffer", "clip", …
  std::string path;  // as typed if relative (with '/'), else the file name alone
  std::uint64_t bytes = 0;
  std::string xxh128;  // XXH3, 128 bits, 32 hex digits as `xxhsum -H128` prints them
};

}  // namespace skinbake
