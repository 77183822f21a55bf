// The hash of a file that could not be hashed while it was written.

#pragma once

#include <string>

namespace skinbake {

// XXH3, 128 bits, of a file that is there whole: read by the threads of the arena that this is
// called in, while one of them hashes. Throws Error (kInput).
std::string hash_of_file(const std::string& path);

}  // namespace skinbake
