// A JSON report that was read back, and its pages: HTML, Markdown and JUnit XML.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"
#include "report/viewer/viewer.h"
#include "skinbake/error.h"
#include "skinbake/frames.h"
#include "skinbake/gltf.h"

namespace skinbake {

// The location of a value.
struct ParsedPlace {
  std::int64_t frame = 0;  // frame number
  std::string element;     // "vertex 12", "point 7000", "triangle 3", "edge 4 5", or empty
  std::string joint;       // name of the joint, or of the mesh of a body, or empty
  std::string pose = {};   // what the pose in this frame is called, or empty
};

// A number of a section that describes the whole run: "max".
struct ParsedNumber {
  std::string name;
  std::optional<double> value;
  std::optional<ParsedPlace> at;
};

struct ParsedSeries {
  std::string name;            // "rms"
  std::vector<double> values;  // [frame], NaN where the value is missing
};

// The lowest usual frame rate at which the error between frames stays below the limit.
struct SufficientFps {
  double limit_m = 0;
  std::optional<double> fps;  // none: no usual rate suffices
};

// A section of a run: the result of one metric, which may be a metric of a later version.
// The joint that places both files of a comparison of surfaces in the bind pose, because the
// heaviest joint does not.
struct ParsedPlacement {
  std::string joint, instead_of;
  double apart_m = 0;  // the mean distance of the files by `instead_of`
};

struct ParsedSection {
  std::string id;    // "error"
  std::string unit;  // "m", "m3", "rad" or that of a later version; empty: a ratio or a count
  std::vector<ParsedNumber> numbers;                 // sorted by name
  std::vector<ParsedSeries> per_frame;               // sorted by name
  std::optional<SufficientFps> sufficient_fps = {};  // for `in_between` with a limit
  std::optional<ParsedPlacement> placed_by = {};     // for `surface`

  const ParsedNumber* number(std::string_view name) const;  // null: absent
  const ParsedSeries* series(std::string_view name) const;  // null: absent
};

// The volume around a joint.
struct ParsedJoint {
  std::string name;
  std::optional<double> max_loss;
  std::optional<ParsedPlace> max_loss_at;
  std::vector<double> loss;  // [frame], NaN where the value is missing
};

// The difference of one mesh between two sources of frames.
struct ParsedDifference {
  std::int64_t vertices = 0;  // vertices that differ in any frame, by any amount
  std::int64_t frames = 0;    // frames in which any vertex differs
};

struct ParsedRun {
  std::string clip;     // empty: the rest pose
  std::string method;   // run_name(): with the profile
  std::string profile;  // engine profile; empty: none
  FrameRange frames;
  std::string reference;                // of the errors
  std::vector<ParsedSection> sections;  // error and volume first, the others sorted by id
  std::vector<ParsedJoint> joints;
  std::vector<double> vertex_max;  // [vertex] largest error; empty: not in the report
  std::optional<ParsedDifference> difference;

  const ParsedSection* section(std::string_view id) const;  // null: absent
  std::string_view method_alone() const;                    // without the profile
  // Whether the vertices of the mesh are points of a surface, some of them inside its faces.
  bool compares_points() const;
};

struct ParsedMesh {
  std::string id;
  std::int64_t vertex_count = 0;
  std::int64_t triangle_count = 0;
  double bbox_diagonal_m = 0;
  std::vector<ParsedRun> runs;
  std::string follows_joint = {};  // that moves it rigidly, as a prop; empty: none
};

struct ParsedClip {
  std::string id;    // empty: the rest pose
  std::string file;  // a file other than the rig's; empty: none
};

// What a fit adds to the page: its table, and sentences.
struct ParsedFit {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;  // as many cells as heads
  std::vector<std::string> lines;
};

struct ParsedReport {
  std::string name;  // of the file, never an absolute path
  std::string command;
  std::string version;  // of the skinbake that wrote the report
  std::vector<InputFile> inputs;
  // Only modifiers, space, reference, joint_params, map, retarget and match.
  Report::Settings settings;
  std::vector<ParsedClip> clips;
  VerdictStatus verdict = VerdictStatus::kNone;  // of the checks
  std::vector<Check> checks;
  Issues issues;
  std::vector<std::string> allowed;  // codes
  std::vector<ParsedMesh> meshes;
  std::vector<ParsedMesh> bodies = {};  // several meshes each, measured as one
  std::vector<VerificationRecord> verification;
  std::vector<Explanation> explain;
  std::optional<Recommendation> recommendation;
  std::optional<ReportChanges> changes;          // of a diff of two reports
  std::optional<LibraryRecord> library;          // of a diff of two libraries
  std::vector<RigDataDifference> rig_data = {};  // of a diff of rigs
  std::optional<ParsedFit> fit;                  // of a fit, which this process made
  std::vector<std::string> arrays;  // paths of the files of errors per vertex that were read
  std::size_t place = 0;            // of the report's path among those of read_reports
  std::uint64_t memory = 0;  // the bytes that it takes, of a report that was read from a file
};

// Reads an untrusted report and the NumPy files of errors per vertex beside it. Throws Error
// (kInput) with file and JSON pointer: FILE_UNREADABLE, REPORT_INVALID, PER_VERTEX_INVALID, or
// MEMORY_LIMIT if the report needs more than is left of `share`.
ParsedReport read_report(const std::string& path, const MemoryShare& share);

// Reads several reports in the order of the paths. Sidecars of caches, which a pattern such as
// run*.json also names, are skipped, and an issue for each is added to `skipped`. The memory is for
// all of them together. Throws the errors of read_report; for a sidecar, if no path names a report.
// A report's `place` tells its path.
std::vector<ParsedReport> read_reports(std::span<const std::string> paths, const MemoryShare& share,
                                       Issues& skipped);

// Parses the text of an untrusted report. `name` stands for the file in messages and pages. Errors
// per vertex in other files are not read.
ParsedReport parse_report(std::string_view json, const std::string& name,
                          std::uint64_t max_memory = UINT64_MAX);

// The parsed form of a report that this process made: equal to parse_report(to_json(report), name).
// Errors per vertex are included unless they are PerVertex::kNone.
ParsedReport parsed_report_of(const Report& report, const std::string& name);

// The most bytes of a Markdown page: a comment on GitHub has at most 65 536 characters.
inline constexpr std::size_t kMostMarkdown = 60'000;

enum class PageFormat { kHtml, kMarkdown, kJunit };

// The format by extension, in any case of letters: .html, .htm; .md, .markdown; .xml. None: another
// extension.
std::optional<PageFormat> page_format_of(std::string_view path);

// A page that shows the reports side by side. Equal reports give equal bytes on every machine. All
// names from the reports are escaped. `view`: frames for the 3D viewer, on an HTML page only;
// requires has_viewer(). `overview`: the address, relative to an HTML page, of the overview to
// which the page links back; empty: none.
std::string to_page(PageFormat format, std::span<const ParsedReport> reports,
                    const View* view = nullptr, std::string_view overview = {});

}  // namespace skinbake
