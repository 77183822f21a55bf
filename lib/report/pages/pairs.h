// The pairs of mesh and clip of one or several reports, the worst first.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/pages/charts.h"
#include "report/read/parsed_report.h"

namespace skinbake {

// Ratios below this are rounding of float32 positions: metrics.md and the pages show them as 0.
inline constexpr double kRoundingRatio = 1e-6;

// A mesh in a clip: the runs of every method and report share its drawings.
struct Pair {
  std::string mesh, clip;
  const InputFile* file = nullptr;  // the first input of its first report; null: unknown
  bool is_body = false;             // several meshes, measured as one
  bool has_namesakes = false;       // whether the reports have such a mesh and clip of other files
  std::vector<Curve> curves;
  double severity = 0;      // the largest loss of volume, at a joint too, or relative error
  bool is_rounding = true;  // whether nothing but rounding was measured
};

// Props, meshes that follow one joint, are last. Meshes of one name in files of other names and
// contents are different pairs. Pairs of equal severity keep the order of the reports.
std::vector<Pair> worst_pairs(std::span<const ParsedReport> reports);

// The same of bodies, which have several meshes each.
std::vector<Pair> worst_bodies(std::span<const ParsedReport> reports);

// The largest loss of volume, at a joint too, or relative error of a run.
double severity_of(const ParsedRun& run);

// The letter of a report in first columns and labels: "A", …, "Z", "27", …; empty for a single
// report.
std::string letter_of(std::size_t report, std::size_t count);

// "mesh 'Legs', clip 'run'", or "body 'hips', …", as HTML; the file is named where another file has
// such a mesh and clip.
std::string pair_html(const Pair& pair);

}  // namespace skinbake
