// What is in a file, and everything that is wrong with it.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/gltf.h"

namespace skinbake {

// For people: aligned columns, one line a mesh and clip; of each code the first few places.
std::string inspect_text(const Asset& asset);

// For programs: schema "skinbake.inspection", version 1.0; keys in a fixed order. Every issue.
std::string inspect_json(const Asset& asset);

// The same document of a file that load_asset refused: "refused" says why, and nothing else is
// known. `shown_as`: the file, as inspections name it.
std::string refusal_json(const Error& error, const std::string& shown_as);

// The JSON Schema (2020-12) that every inspection validates against.
std::string_view inspect_schema();

// The issues of one code.
struct IssueGroup {
  std::string_view code;
  Severity severity = Severity::kWarning;
  std::string_view remedy;           // "" for a code that is not in the table
  std::vector<const Issue*> issues;  // in their order
  std::int64_t count = 0;            // of all of them
};

// So many places of a code are shown to people; the rest is counted.
inline constexpr std::size_t kPlacesShown = 3;

// In the order of each code's first issue. The groups point into `issues`.
std::vector<IssueGroup> grouped(const Issues& issues);

}  // namespace skinbake
