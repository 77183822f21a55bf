// JSON files that a user writes: maps of names and of bones, parameters, poses. Errors refer to
// positions in these files.

#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "skinbake/gltf.h"
#include "skinbake/rig.h"

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

using Nodes = std::vector<NodeIndex>;
using NodesByName = std::map<std::string, Nodes>;

// Nodes without a name are left out.
NodesByName nodes_by_name(const std::vector<Node>& nodes);

// The nodes of a name in ascending order, or else the node of the index in "#7"; empty: none.
Nodes named_nodes(const Skeleton& skeleton, const NodesByName& by_name, const std::string& name);

}  // namespace skinbake::gltf
