// JSON files that a user writes: maps of names and of bones, parameters, poses. Errors refer to
// positions in these files.

#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "skinbake/gltf.h"

namespace skinbake::gltf {

enum class JsonForm { kObject, kList };

// The words by which messages describe a file.
struct UserFile {
  std::string path;  // as the caller passed it
  const char* what;  // "the map of names"
  const char* code;  // error code of a malformed content
  JsonForm json = JsonForm::kObject;
};

struct UserJson {
  nlohmann::json value;  // of UserFile::json
  std::string shown_as;  // the path in reports
  InputFile input;
};

// Throws Error (kInput) if the file cannot be read, if it is larger than 64 MiB, or if its JSON
// has another form or contains an object with two members of one name.
UserJson read_user_json(const UserFile& file);

// Throws Error (kInput) with the message "<element> <message>" at a JSON pointer into the file.
[[noreturn]] void fail_in(const UserFile& file, const std::string& element,
                          const std::string& pointer, const std::string& message);

}  // namespace skinbake::gltf
