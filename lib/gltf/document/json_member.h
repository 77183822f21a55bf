// Access to the JSON of extensions, whose form nobody has checked.

#pragma once

#include <nlohmann/json.hpp>

namespace skinbake::gltf {

// The member of an object; null if the value is no object or does not have the member.
inline const nlohmann::json& member(const nlohmann::json& object, const char* key) {
  static const nlohmann::json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

}  // namespace skinbake::gltf
