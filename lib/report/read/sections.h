// Readers of the sections of an untrusted report. Sections of known metrics must follow the schema;
// other sections are read as far as they have the form of a metric. Errors: REPORT_INVALID.

#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "json/json_cursor.h"
#include "report/read/parsed_report.h"

namespace skinbake {

using ClipFrames = std::map<std::string, FrameRange>;  // by the clip's id

// ---- Meshes and runs

ClipFrames read_clips(const JsonCursor& clips);
ParsedMesh read_mesh(const JsonCursor& mesh, const ClipFrames& clips);

// Of a comparison of surfaces: calls places inside faces "point 7000", and gives the place of the
// largest error the joint that moves it.
void name_points(ParsedRun& run);

// Whether a series holds values over time; series of indices do not.
bool is_curve(std::string_view series);

// ---- Sections that a command or an option adds

std::vector<VerificationRecord> read_verification(const JsonCursor& verification);
std::vector<Explanation> read_explanations(const JsonCursor& explain);
Recommendation read_recommendation(const JsonCursor& recommendation);
ReportChanges read_changes(const JsonCursor& changes);
LibraryRecord read_library(const JsonCursor& library);
std::vector<RigDataDifference> read_rig_data(const JsonCursor& data);

// Replaces empty clips and methods by "unknown" in a report of a diff. A cache without a sidecar
// does not name its clip and method, and an empty clip would be shown as the rest pose.
void name_unknowns(ParsedReport& report);

// ---- Values

// The element of `values` for which to_string() returns the text of `word`.
template <class Enum>
Enum read_enum(const JsonCursor& word, std::initializer_list<Enum> values) {
  const std::string text = word.text();
  std::string known;
  for (const Enum value : values) {
    if (text == to_string(value)) return value;
    known += (known.empty() ? "'" : ", '") + std::string(to_string(value)) + "'";
  }
  word.fail("is not one of " + known);
}

double read_fps(const JsonCursor& fps);

inline Unit read_unit(const JsonCursor& unit) {
  return read_enum(
      unit, {Unit::kRatio, Unit::kMetres, Unit::kCubicMetres, Unit::kRadians, Unit::kNumber});
}

// The key of a number's place: "max_at" of "max", and of "max_m", which is the same in metres.
inline std::string place_key(std::string_view number) {
  if (number.ends_with("_m")) number.remove_suffix(2);
  return std::string(number) + "_at";
}

}  // namespace skinbake
