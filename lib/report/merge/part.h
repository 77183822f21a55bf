// What the functions of this folder share: a report that is a part, and how to refuse it.

#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "frames/joined_frames.h"
#include "json/json_cursor.h"
#include "skinbake/error.h"

namespace skinbake {

// A section of a part, and the one in the same place of the parts before it.
struct PartSection {
  const nlohmann::json& part;
  nlohmann::json& whole;
  const std::string& path;        // the part's file
  const std::string& first_path;  // the first part's file
  std::string name;               // for messages: "Body, dqs: volume"

  JsonCursor cursor() const { return {path, part}; }
  PartSection member(const std::string& key) const {
    return {part.at(key), whole.at(key), path, first_path, name.empty() ? key : name + "." + key};
  }
  PartSection element(std::size_t i) const {
    return {part[i], whole[i], path, first_path, name + "." + std::to_string(i)};
  }
};

// Throws Error (kInput, PART_INVALID): "path: <message>".
[[noreturn]] inline void throw_part_invalid(const std::string& path, const std::string& message) {
  throw Error(ErrorKind::kInput, "PART_INVALID", message, {path, ""});
}

// Throws Error (kInput, PARTS_DIFFER) unless the values are equal.
void require_equal(const PartSection& section);

// The same for objects that may differ in some members. Throws also if the keys differ.
void require_same_keys(const PartSection& section);

// Throws Error (kInput, PARTS_DIFFER) unless both are arrays of as many elements.
void require_same_size(const PartSection& section);

// A number, or null if it is not finite, as reports have it.
inline nlohmann::json number_or_null(double number) {
  return std::isfinite(number) ? nlohmann::json(number) : nlohmann::json();
}

}  // namespace skinbake
