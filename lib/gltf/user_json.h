// JSON that a user writes beside a rig: --map, --joint-params. What is wrong with it is said of
// that file, not of a glTF.

#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "gltf/document.h"

namespace skinbake::gltf {

// How such a file is spoken of.
struct UserFile {
  std::string path;    // as typed
  const char* option;  // "--map"
  const char* what;    // "the map of names"
  const char* code;    // of what is wrong with its content
  const char* form;    // how it is written: a remedy
};

struct UserJson {
  nlohmann::json value;  // an object
  std::string shown_as;  // the path as reports show it
  InputFile input;
};

// Throws Error (kInput) if the file cannot be read or is not a JSON object.
UserJson read_user_json(const UserFile& file);

// Throws Error (kInput): "<element> <message>". `pointer`: a JSON pointer into the file.
[[noreturn]] void fail_in(const UserFile& file, const std::string& element,
                          const std::string& pointer, const std::string& message);

}  // namespace skinbake::gltf
