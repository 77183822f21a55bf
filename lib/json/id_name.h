// Names of meshes, clips and methods as parts of file names.

#pragma once

#include <string>

namespace skinbake {

// An id as part of a file name: `/ \ : * ? " < > |` and characters that do not print become '_'; an
// id that is empty, "." or ".." becomes "_"; at most 200 bytes, cut between UTF-8 characters.
std::string file_name_of(const std::string& id);

}  // namespace skinbake
