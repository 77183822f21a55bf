// The identity of a file that a run has read.

#pragma once

#include <cstdint>
#include <string>

namespace skinbake {

// A file whose bytes were read.
struct InputFile {
  std::string role;  // "rig", "buffer", "clip", …
  std::string path;  // as typed if relative (with '/'), else the file name alone
  std::uint64_t bytes = 0;
  std::string xxh128;  // XXH3, 128 bits, 32 hex digits as `xxhsum -H128` prints them
};

}  // namespace skinbake
