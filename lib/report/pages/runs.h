// The runs of report documents, and what each section of a run has: numbers, their places, series
// over the frames, and parts that a joint names. They are found by their form: no section is known
// by name here.

#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/fields.h"
#include "report/read_report.h"
#include "skinbake/frames.h"

namespace skinbake {

// ---- Members of a document, whose types an untrusted report may choose

const Json& member(const Json& object, std::string_view key);  // null: absent
std::string text_in(const Json& object, std::string_view key);
std::optional<double> number_in(const Json& object, std::string_view key);
// Empty: absent, or no array.
const Json::array_t& elements_in(const Json& object, std::string_view key);

// ---- Runs

struct Run {
  std::size_t report = 0;  // index of its report
  const Json* mesh = nullptr;
  const Json* json = nullptr;
  bool is_body = false;  // several meshes, measured as one
  std::string subject;   // the name of the rig, or of the report
  std::string mesh_id;
  std::string clip;  // empty: the rest pose
  std::string method;
  std::string label;  // "A: dqs", or "dqs" of a single report
  FrameRange frames;
};

// The runs of bodies, then of meshes, in the order of the reports.
std::vector<Run> runs_in(std::span<const NamedReport> reports);

struct Number {
  std::string path;  // "error.max", "volume.joints.max_loss"
  std::string part;  // the joint of a part; empty: of the whole run
  std::optional<double> value;
  Field field;
  const Json* at = nullptr;      // place of the value; null: the number has none
  const Json* series = nullptr;  // its values per frame; null: the report does not have them
  bool is_of_reference = false;  // the run is the reference of its section: it does not differ
};

// The numbers of all sections. A number with a place is a headline of its section.
std::vector<Number> numbers_of(const Run& run);

// The numbers with places of the parts that a joint names.
std::vector<Number> parts_of(const Run& run);

// The headlines of a run, its numbers with places, and the worst part of each path.
std::vector<Number> headlines_of(const Run& run);

// The position of `path` in `all`. A new path is inserted where `paths` of one run have it: before
// the next known path. Beyond a thousand paths it is not inserted: all.size().
std::size_t place_among(std::vector<std::string>& all, const std::string& path,
                        const std::vector<std::string>& paths);

// How bad a headline is; 0: it is not, or it is rounding.
double badness(const Number& number);
inline bool is_bad(const Number& number) {
  return badness(number) > 0;
}

struct RunSeries {
  std::string path;  // "volume.loss"
  std::string_view unit;
  const Json* values = nullptr;  // an array
};
std::vector<RunSeries> series_of(const Run& run);

// The value in a frame of a run; none: not measured.
std::optional<double> value_in(const Json& series, const FrameRange& frames, std::int64_t frame);

// ---- Pairs

// A mesh in a clip: the runs of all methods and reports.
struct Pair {
  std::string title;  // "mesh 'Legs', clip 'run'", and the rig if there are several. Not escaped
  std::vector<Run> runs;
  double severity = 0;
};

// The worst first: by the sum of the headlines' shares of the largest values of any run. Meshes
// that follow one joint, as a sword does, are last.
std::vector<Pair> worst_pairs(std::vector<Run> runs);

// ---- Names

// The letter of a report in first columns and labels: "A", …, "Z", "27"; empty for a single report.
std::string letter_of(std::size_t report, std::size_t count);

// The name of the character: its rig's file without folders and extension, else the report's name.
std::string subject_of(const NamedReport& report);
// The names of all, each once: "hero, fox".
std::string subjects_of(std::span<const NamedReport> reports);

}  // namespace skinbake
