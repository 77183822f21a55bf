// A JSON report read back, and shown: as a web page, in a pull request, to a build server.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/error.h"
#include "skinbake/frames.h"
#include "skinbake/gltf.h"
#include "skinbake/report.h"
#include "skinbake/view.h"

namespace skinbake {

// Where a value is.
struct PlaceView {
  std::int64_t frame = 0;  // frame number
  std::string element;     // "vertex 12", "triangle 3", "edge 4 5", or empty
  std::string joint;       // its name, or empty
};

// A number of a section that stands for the whole run: "max".
struct NumberView {
  std::string name;
  std::optional<double> value;
  std::optional<PlaceView> at;
};

struct SeriesView {
  std::string name;            // "rms"
  std::vector<double> values;  // [frame], NaN where there is none
};

// The lowest usual rate of frames that is enough.
struct SufficientFps {
  double limit_m = 0;         // of what is lost between frames
  std::optional<double> fps;  // none: no usual rate is
};

// What one metric found out: any section of a run, known or not.
struct SectionView {
  std::string id;    // "error"
  std::string unit;  // "m", "m3", "rad"; empty: a ratio or a count
  std::vector<NumberView> numbers;
  std::vector<SeriesView> per_frame;
  std::optional<SufficientFps> sufficient_fps = {};  // of `in_between` with a limit

  const NumberView* number(std::string_view name) const;  // null: there is none
  const SeriesView* series(std::string_view name) const;
};

// The volume around a joint.
struct JointView {
  std::string name;
  std::optional<double> max_loss;
  std::optional<PlaceView> max_loss_at;
  std::vector<double> loss;  // [frame], NaN where there is none
};

// What `diff` found of one mesh.
struct DifferenceView {
  std::int64_t vertices = 0;  // that differ in any frame, by any amount
  std::int64_t frames = 0;    // in which any vertex differs
};

struct RunView {
  std::string clip;     // empty: the rest pose
  std::string method;   // as run_name() has it, with the profile
  std::string profile;  // of an engine; empty: none
  FrameRange frames;
  std::string reference;              // of the errors
  std::vector<SectionView> sections;  // error and volume first
  std::vector<JointView> joints;
  std::vector<double> vertex_max;  // [vertex], largest error of each; empty: not in the report
  std::optional<DifferenceView> difference;

  const SectionView* section(std::string_view id) const;
  std::string_view method_alone() const;  // without the profile
};

struct MeshView {
  std::string id;
  std::int64_t vertex_count = 0;
  std::int64_t triangle_count = 0;
  double bbox_diagonal_m = 0;
  std::vector<RunView> runs;
};

struct ReportView {
  std::string name;  // of its file, never an absolute path
  std::string command;
  std::string version;  // of the skinbake that wrote it
  std::vector<InputFile> inputs;
  Report::Settings settings;  // what says how frames were made: modifiers, space, reference
  std::string verdict;        // "pass", "warn", "fail", "none"
  std::vector<Check> checks;
  Issues issues;
  std::vector<MeshView> meshes;
  std::vector<VerificationRecord> verification;
  std::vector<SelfTestRecord> self_test;
  std::vector<Explanation> explain;
  std::optional<Recommendation> recommendation;
  std::optional<ReportChanges> changes;  // of a diff of two reports
};

// Reads a report that nobody vouches for. Throws Error (kInput) with file and JSON pointer if it is
// no report, or would take more than `max_memory` bytes.
ReportView read_report(const std::string& path, std::uint64_t max_memory);

// The same from the text itself, which `name` stands for.
ReportView parse_report(std::string_view json, const std::string& name,
                        std::uint64_t max_memory = UINT64_MAX);

enum class PageFormat { kHtml, kMarkdown, kJunit };

// By the extension: .html, .htm; .md, .markdown; .xml. None: another one.
std::optional<PageFormat> page_format_of(std::string_view path);

// The reports side by side. The same bytes for the same reports, on every machine. Names from the
// reports are escaped, whatever they are. `view`: the mesh itself, on an HTML page only; in a build
// that has the viewer.
std::string to_page(PageFormat format, std::span<const ReportView> reports,
                    const View* view = nullptr);

}  // namespace skinbake
