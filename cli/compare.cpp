// `skinbake compare`: measures several methods on the same frames, in one pass.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"
#include "comparison/explain.h"
#include "jobs/options.h"
#include "jobs/run.h"
#include "jobs/summary.h"
#include "json/text.h"
#include "methods/method_list.h"
#include "options/choices.h"
#include "report/comparison.h"
#include "report/document.h"
#include "report/read_report.h"
#include "report/recommendation.h"
#include "report/report.h"
#include "report/report_text.h"
#include "terminal/format.h"
#include "terminal/table.h"
#include "thresholds/metric_choice.h"

namespace skinbake::cli {

namespace {

// With more tables, only the table of all meshes and clips is printed.
constexpr std::size_t kMostTables = 8;

using Row = std::vector<std::string>;

std::string number_text(const std::optional<std::int64_t>& number) {
  return number ? fmt::format("{}", *number) : "-";
}

std::string clip_text(const std::string& clip) {
  return clip.empty() ? "(rest)" : printable(clip);
}

Row row_of(const MethodStanding& m) {
  Row row{printable(m.method), "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"};
  if (m.cost) row[1] = fmt::format("{:.1f}", *m.cost);
  if (m.rms) row[2] = fmt::format("{:.3g}", *m.rms);
  if (m.max) {
    row[3] = fmt::format("{:.3g}", m.max->value);
    row[4] = number_text(m.max->vertex);
    row[5] = number_text(m.max->frame);
  }
  if (m.loss) {
    row[6] = percent_text(m.loss->value);
    row[7] = number_text(m.loss->frame);
    row[8] = percent_text(m.gain->value);
  }
  if (m.joint_loss) {
    row[9] = printable(m.joint_loss->joint) + " " + percent_text(m.joint_loss->value);
    row[10] = number_text(m.joint_loss->frame);
  }
  return row;
}

Row head() {
  return {"method",      "cost",  "rms m", "max m",       "vertex", "frame",
          "volume loss", "frame", "gain",  "worst joint", "frame"};
}

// The line above a table. Without errors and volumes, methods are ranked by cost.
std::string ranking_text(const std::string& reference, const std::vector<MethodStanding>& all,
                         RankBy by) {
  const bool has_errors = std::any_of(all.begin(), all.end(),
                                      [](const MethodStanding& m) { return m.rms.has_value(); });
  std::string text = has_errors ? fmt::format("errors against {}, ", printable(reference)) : "";
  if (by == RankBy::kVolumeChange) return text + "best first: least change of volume";
  return text + (has_errors ? "best first: least rms error" : "cheapest first");
}

// "worst: arm twist at +90°, frame 431": a line for each frame of a table whose pose has a name.
std::string poses_text(const std::vector<MethodStanding>& methods, bool with_clips) {
  std::map<std::pair<std::string, std::int64_t>, std::string> poses;  // by clip and frame
  for (const MethodStanding& m : methods) {
    for (const auto* worst : {&m.max, &m.loss, &m.joint_loss}) {
      if (!*worst || (*worst)->value == 0 || (*worst)->pose.empty()) continue;
      poses.try_emplace({(*worst)->clip, *(*worst)->frame}, (*worst)->pose);
    }
  }
  std::string text;
  for (const auto& [at, pose] : poses) {
    const std::string clip = with_clips ? clip_text(at.first) + ", " : "";
    text += fmt::format("worst: {}, {}frame {}\n", printable(pose), clip, at.second);
  }
  return text;
}

std::string table_of(std::vector<MethodStanding> methods, RankBy by) {
  const std::string poses = poses_text(methods, false);
  std::vector<Row> rows{head()};
  for (const MethodStanding& m : ranked(std::move(methods), by)) rows.push_back(row_of(m));
  return table_text(rows, "lrrrrrrrrlr") + poses;
}

// The table of all meshes and clips, with the mesh and clip in which each method is worst.
std::string table_of_all(std::vector<MethodStanding> methods, RankBy by) {
  const std::string poses = poses_text(methods, true);
  std::vector<Row> rows{head()};
  rows.front().push_back("worst in");
  for (const MethodStanding& m : ranked(std::move(methods), by)) {
    Row& row = rows.emplace_back(row_of(m));
    const std::optional<WorstValue> worst =
        by == RankBy::kVolumeChange && m.loss ? m.volume_change() : m.max;
    row.push_back(worst ? printable(worst->mesh) + ", " + clip_text(worst->clip) : "-");
  }
  return table_text(rows, "lrrrrrrrrlrl") + poses;
}

// The ranked methods, best first: a table for each mesh and clip, if there are few, and one over
// all.
std::string comparison_text(const Report& report) {
  const std::vector<MethodStanding> all = standings(report);
  const RankBy by = rank_by(all, report.settings.reference);
  const std::string ranking = ranking_text(report.settings.reference, all, by);
  const std::size_t tables = report.meshes.size() * report.clips.size();
  std::string text;
  for (const MeshRecord& mesh : report.meshes) {
    if (tables > kMostTables) break;
    for (const ClipRecord& clip : report.clips) {
      const std::string id = clip.clip == nullptr ? "" : clip.clip->id;
      text += fmt::format("{}, {}, {} frames; {}\n", printable(mesh.rig->id), clip_text(id),
                          clip.frames.frame_count, ranking);
      text += table_of(standings(mesh, id), by) + (tables > 1 ? "\n" : "");
    }
  }
  if (tables == 1) return text;
  return text +
         fmt::format(
             "all of {} mesh{} and {} clip{}; {}\n"
             "rms m is of all vertices and frames, every other column of the mesh and clip "
             "where it is worst\n",
             report.meshes.size(), report.meshes.size() == 1 ? "" : "es", report.clips.size(),
             report.clips.size() == 1 ? "" : "s", ranking) +
         table_of_all(all, by);
}

// A cell of the table, whose percentages have two decimals in all rows.
std::string cell_text(double value, Unit unit) {
  if (unit == Unit::kNumber) return fmt::format("{:.4g}", value);
  return unit == Unit::kMetres ? fmt::format("{:.3g} m", value) : percent_text(value);
}

// The candidates of --recommend, cheapest first, and the recommended method. Empty without
// --recommend.
std::string recommendation_text(const Report& report) {
  if (!report.recommendation) return "";
  const Recommendation& all = *report.recommendation;
  std::vector<Row> rows{{"method", "cost"}};
  for (const RecommendLimit& limit : all.limits) rows.front().push_back(limit.metric);
  rows.front().insert(rows.front().end(), {"within", "pareto"});
  for (const Candidate& candidate : all.candidates) {
    Row& row =
        rows.emplace_back(Row{printable(candidate.method),
                              candidate.cost ? fmt::format("{:.1f}", *candidate.cost) : "-"});
    for (std::size_t i = 0; i < all.limits.size(); ++i) {
      const auto& value = candidate.values[i];
      row.push_back(value ? cell_text(value->value, all.limits[i].unit) : "-");
    }
    row.insert(row.end(), {candidate.within ? "yes" : "no", candidate.pareto ? "yes" : "no"});
  }
  const std::string alignment = "l" + std::string(all.limits.size() + 1, 'r') + "ll";
  return "\n" + table_text(rows, alignment) + printable(recommendation_text(all)) + "\n";
}

struct CompareOptions : BakeOptions {
  int explained = 0;  // vertices for each method
  bool recommends = false;
  std::vector<RecommendLimit> limits;  // of --recommend
};

void conclude(const CompareOptions& options, Report& report) {
  if (options.explained > 0) {
    report.explain = explain_worst(report, static_cast<std::size_t>(options.explained));
  }
  if (!options.recommends) return;
  const NamedReport named{"", document_of(report)};
  report.recommendation =
      recommend_library({&named, 1}, options.limits).characters.front().recommendation;
}

// Adds the metrics that --explain and the limits of --recommend need.
void add_needed_metrics(CompareOptions& options) {
  if (options.explained > 0 && !options.measures("error")) options.metrics.emplace_back("error");
  for (const RecommendLimit& limit : options.limits) {
    const std::string metric = metric_of(limit);
    if (!options.measures(metric)) options.metrics.push_back(metric);
  }
}

int run_compare(CompareOptions options) {
  options.methods = method_names(options.methods);
  if (options.recommends) options.limits = take_recommend_limits(options.thresholds);
  add_needed_metrics(options);
  const auto table = [](const Report& report, const std::deque<MeshJobs>&) {
    return bodies_text(report) + comparison_text(report) + explanations_text(report) +
           recommendation_text(report);
  };
  return run_bake(options, {table, [&](Report& report) { conclude(options, report); }});
}

void add_compare_options(CLI::App& command, CompareOptions& options) {
  add_explain_option(command, options.explained, "errors of each method");
  command.add_flag(
      "--recommend", options.recommends,
      "Recommend the cheapest method within the limits of --fail; exit 1 if there is none");
}

}  // namespace

void setup_compare(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CompareOptions>();
  options->command = "compare";
  options->methods = {"lbs", "dqs"};
  options->per_vertex = PerVertex::kNone;
  CLI::App* command =
      app.add_subcommand("compare", "Measure several methods on the same frames, in one pass");
  add_bake_options(*command, *options);
  add_compare_options(*command, *options);
  command->footer(
      "Methods are ranked by their change of volume, or by their rms error if the reference is "
      "not\n"
      "one of them. cost: time relative to linear blending. pareto: no other method is at least "
      "as\n"
      "cheap and as good, and better in one of the two.\n"
      "\n"
      "Examples:\n"
      "  skinbake compare hero.glb --clip run --method lbs --method dqs --method cor\n"
      "  skinbake compare hero.glb --clip all --method all --report methods.json\n"
      "  skinbake compare hero.glb --method dqs:sign=first,scale=joint --method cor --reference "
      "lbs\n"
      "  skinbake compare hero.glb --report methods.html --per-vertex json\n"
      "  skinbake compare hero.glb --fail volume.max_loss=5%@dqs --report out.xml\n"
      "  skinbake compare hero.glb --reference golden.pc2 --fail error.max=0.1mm\n"
      "  skinbake compare hero.glb --explain 3\n"
      "  skinbake compare hero.glb --method all --recommend --fail volume.max_loss=5%\n"
      "  skinbake compare hero.glb --profile unity-4 --profile unreal-4\n"
      "  skinbake compare hero.glb -o '{mesh}.{method}.pc2'");
  command->callback([options, &exit_code] { exit_code = run_compare(*options); });
}

}  // namespace skinbake::cli
