#include "report/pages/page_text.h"

#include <algorithm>

#include "report/causes.h"
#include "skinbake/in_between.h"

namespace skinbake {

// ---- Values and places

std::string_view unit_of(const ParsedSection& section, std::string_view name) {
  if (name.ends_with("_m")) return "m";
  if (name.ends_with("_m2")) return "m²";
  if (name.ends_with("_relative") || name.ends_with("loss")) return "1";
  if (name.ends_with("_vertex") || name == "vertices" || name == "points" ||
      name == "facing_away" || name == "frames_left_out" || name == "erms" ||
      name == "kg_percent" || name == "folds" || name == "without_normal") {
    return "";
  }
  return section.unit;
}

std::string place_text(const std::optional<ParsedPlace>& place,
                       std::string (*shown)(std::string_view)) {
  if (!place) return "";
  return (place->pose.empty() ? "" : shown(place->pose) + ", ") + "frame " +
         std::to_string(place->frame) + (place->element.empty() ? "" : ", " + place->element);
}

std::string_view clip_text(const std::string& clip) {
  return clip.empty() ? std::string_view("rest pose") : clip;
}

std::string match_text(const ParsedReport& report) {
  const std::optional<MatchSettings>& match = report.settings.match;
  if (!match || match->used == Match::kIndex) return "";
  return "points are paired by " + std::string(to_string(match->used)) +
         (match->reason.empty() ? "" : ": " + match->reason);
}

std::string placement_text(const ParsedReport& report) {
  for (const ParsedMesh& mesh : report.meshes) {
    for (const ParsedRun& run : mesh.runs) {
      const ParsedSection* surface = run.section("surface");
      if (surface == nullptr || !surface->placed_by) continue;
      const ParsedPlacement& placed = *surface->placed_by;
      return "placed at bind by joint '" + placed.joint + "': by the heaviest, '" +
             placed.instead_of + "', the files would be " + with_unit(placed.apart_m, "m") + " (" +
             with_unit(placed.apart_m / mesh.bbox_diagonal_m, "1") +
             ") apart, because its bind matrices or its places at rest differ";
    }
  }
  return "";
}

std::string left_out_text(const ParsedReport& report) {
  if (report.meshes.empty()) return "";
  double frames = 0;  // each direction of a comparison is a mesh, with the same clips
  for (const ParsedRun& run : report.meshes.front().runs) {
    const ParsedNumber* number = number_of(run, "surface", "frames_left_out");
    if (number != nullptr) frames += number->value.value_or(0);
  }
  if (frames == 0) return "";
  return counted(as_count(frames), "frame that only one side has is",
                 "frames that only one side has are") +
         " not compared";
}

std::string fps_text(const SufficientFps& sufficient) {
  const std::string within = " within " + with_unit(sufficient.limit_m, "m") + " between frames";
  if (sufficient.fps) {
    return short_number(*sufficient.fps) + " fps is the lowest usual rate that stays" + within;
  }
  return "no usual rate, up to " + short_number(usual_rates_hz().back()) + " fps, stays" + within;
}

const ParsedReport* report_before(std::span<const ParsedReport> reports,
                                  const ParsedReport& report) {
  const bool is_after =
      reports.size() == 2 && &report == &reports[1] && reports[0].command == reports[1].command;
  return is_after ? reports.data() : nullptr;
}

const ParsedRun* same_run(const ParsedReport* report, const ParsedMesh& mesh,
                          const ParsedRun& run) {
  if (report == nullptr) return nullptr;
  for (const std::vector<ParsedMesh>* meshes : {&report->meshes, &report->bodies}) {
    for (const ParsedMesh& other : *meshes) {
      if (other.id != mesh.id) continue;
      for (const ParsedRun& of : other.runs) {
        if (of.clip == run.clip && of.method == run.method) return &of;
      }
    }
  }
  return nullptr;
}

const ParsedNumber* number_of(const ParsedRun& run, std::string_view section,
                              std::string_view number) {
  const ParsedSection* found = run.section(section);
  return found == nullptr ? nullptr : found->number(number);
}

WorstNumber worst_of(const ParsedReport& report, std::string_view section,
                     std::string_view number) {
  WorstNumber worst;
  for (const ParsedMesh& mesh : report.meshes) {
    for (const ParsedRun& run : mesh.runs) {
      // The run before a fit is what the fit improves.
      if (report.command == "fit" && run.method == "lbs") continue;
      const ParsedNumber* candidate = number_of(run, section, number);
      if (candidate == nullptr || !candidate->value) continue;
      if (worst.number != nullptr && *candidate->value <= *worst.number->value) continue;
      worst = {&mesh, &run, candidate};
    }
  }
  return worst;
}

const ParsedJoint* worst_joint(const ParsedRun& run) {
  const ParsedJoint* worst = nullptr;
  for (const ParsedJoint& joint : run.joints) {
    if (joint.max_loss && (worst == nullptr || *joint.max_loss > *worst->max_loss)) worst = &joint;
  }
  return worst;
}

std::vector<Measured> other_numbers(const ParsedRun& run) {
  std::vector<Measured> all;
  for (const ParsedSection& section : run.sections) {
    if (section.id == "error" || section.id == "volume") continue;
    for (const ParsedNumber& number : section.numbers) {
      if (number.value) all.push_back({&section, &number});
    }
  }
  return all;
}

// ---- Verdicts

namespace {

// Whether a run exceeds a check's limit. A report does not have the number of "error.over"; for
// this metric the worst run of each method decides. `alone`: the report has one mesh, of which a
// check of a GLB names a part.
bool exceeds(const Check& check, const ParsedMesh& mesh, const ParsedRun& run, bool alone) {
  const std::string_view metric = check.key;
  const std::size_t dot = std::min(metric.find('.'), metric.size() - 1);
  const ParsedNumber* number = number_of(run, metric.substr(0, dot), metric.substr(dot + 1));
  if (number != nullptr && number->value) return !(*number->value <= check.limit);
  const std::span<const Check> methods = methods_of(check);
  return std::any_of(methods.begin(), methods.end(), [&](const Check& of) {
    return !of.passed && (alone || of.mesh == mesh.id) && of.clip == run.clip &&
           of.method == run.method;
  });
}

// The verdict on one mesh of a diff without thresholds.
Verdict difference_verdict(const ParsedReport& report, const ParsedMesh& mesh,
                           const ParsedRun& run) {
  const bool several_clips = mesh.runs.size() > 1;
  const ParsedDifference& difference = *run.difference;
  const bool of_points = run.compares_points();
  Verdict verdict{
      "any difference of mesh '" + mesh.id + "'" +
          (several_clips ? ", clip '" + run.clip + "'" : ""),
      of_points ? "no point differs by more than 0.0001 % of the diagonal" : "no vertex differs",
      difference.vertices == 0};
  if (verdict.passed) return verdict;
  verdict.text = std::to_string(difference.vertices) + " of " + std::to_string(mesh.vertex_count) +
                 (of_points ? " points" : " vertices") + " differ, in " +
                 std::to_string(difference.frames) + " of " +
                 counted(static_cast<std::size_t>(run.frames.frame_count), "frame", "frames");
  const ParsedNumber* max = number_of(run, "error", "max");
  if (max == nullptr) return verdict;
  verdict.text += "; the largest difference is " + with_unit(max->value, "m");
  const auto unchanged = [](std::string_view name) { return std::string(name); };
  if (max->at) verdict.text += ", " + place_text(max->at, unchanged);
  const std::string cause = cause_text(report.rig_data, mesh.id, run.clip);
  if (!cause.empty()) verdict.text += "; " + cause;
  return verdict;
}

// Adds the verdicts of a diff without thresholds. The diff fails if there is any difference.
void add_differences(const ParsedReport& report, std::vector<Verdict>& verdicts) {
  if (report.changes) {
    verdicts.push_back({"any change", changes_text(*report.changes), report.changes->count == 0});
  }
  for (const ParsedMesh& mesh : report.meshes) {
    for (const ParsedRun& run : mesh.runs) {
      if (run.difference) verdicts.push_back(difference_verdict(report, mesh, run));
    }
  }
}

// Adds the verdicts on elements without a partner and on pairs that could not be compared.
void add_library(const LibraryRecord& library, std::vector<Verdict>& verdicts) {
  const std::size_t missing = library.missing();
  if (library.missing_fails) {
    verdicts.push_back({"--fail-missing",
                        missing == 0
                            ? "both sides have every file, mesh and clip"
                            : counted(missing, "element is", "elements are") + " only on one side",
                        missing == 0});
  }
  for (const FailedPair& pair : library.failed) {
    const std::string name = pair.name.empty() ? "the pair" : "'" + pair.name + "'";
    verdicts.push_back({"compare " + name + (pair.clip.empty() ? "" : ", clip '" + pair.clip + "'"),
                        pair.message, false});
  }
}

bool has_threshold(const ParsedReport& report) {
  return std::any_of(report.checks.begin(), report.checks.end(),
                     [](const Check& check) { return !is_clip_check(check); });
}

// " (frame 3, vertex 7)".
std::string parenthesised_place(const std::optional<std::int64_t>& frame, VertexIndex vertex) {
  if (!frame) return "";
  return " (frame " + std::to_string(*frame) + ", vertex " + std::to_string(vertex) + ")";
}

// "; of unit normals 0.001 (frame 3, vertex 7), bound 0.008".
std::string directions_text(const std::string& what,
                            const std::optional<VerificationRecord::Directions>& directions) {
  if (!directions) return "";
  return "; of unit " + what + " " + with_unit(directions->max, "") +
         parenthesised_place(directions->frame, directions->vertex) + ", bound " +
         with_unit(directions->bound, "");
}

}  // namespace

std::vector<Verdict> verdicts_of(const ParsedReport& report) {
  std::vector<Verdict> verdicts;
  if (report.recommendation) {
    verdicts.push_back({"--recommend " + limits_text(*report.recommendation),
                        recommendation_text(*report.recommendation),
                        report.recommendation->method.has_value()});
  }
  if (report.command == "diff" && !has_threshold(report)) add_differences(report, verdicts);
  if (report.library) add_library(*report.library, verdicts);
  return verdicts;
}

std::vector<Verdict> verification_verdicts(const ParsedReport& report) {
  std::vector<Verdict> verdicts;
  for (const VerificationRecord& output : report.verification) {
    const std::string text = "read back, largest difference " + with_unit(output.max_m, "m") +
                             parenthesised_place(output.frame, output.vertex) + ", bound " +
                             with_unit(output.bound_m, "m") +
                             directions_text("normals", output.normals) +
                             directions_text("tangents", output.tangents);
    verdicts.push_back({"--verify " + output.path, text, output.passed});
  }
  return verdicts;
}

VerdictStatus status_of(const Check& check) {
  if (check.passed) return VerdictStatus::kPass;
  return check.severity == CheckSeverity::kWarn ? VerdictStatus::kWarn : VerdictStatus::kFail;
}

VerdictStatus status_of(const ParsedReport& report, const ParsedMesh& mesh, const ParsedRun& run) {
  VerdictStatus worst = VerdictStatus::kPass;
  for (const Check& check : report.checks) {
    if (!check.passed && exceeds(check, mesh, run, report.meshes.size() == 1))
      worst = std::max(worst, status_of(check));
  }
  return worst;
}

VerdictStatus status_of(const ParsedReport& report) {
  const std::vector<Verdict> verdicts = verdicts_of(report);
  const bool passed = std::all_of(verdicts.begin(), verdicts.end(),
                                  [](const Verdict& verdict) { return verdict.passed; });
  if (!passed) return VerdictStatus::kFail;
  return verdicts.empty() ? report.verdict : std::max(report.verdict, VerdictStatus::kPass);
}

VerdictStatus worst_status(std::span<const ParsedReport> reports) {
  VerdictStatus worst = VerdictStatus::kNone;
  for (const ParsedReport& report : reports) worst = std::max(worst, status_of(report));
  return worst;
}

std::span<const Check> methods_of(const Check& check) {
  return check.methods.empty() ? std::span(&check, 1) : std::span<const Check>(check.methods);
}

}  // namespace skinbake
