#include "comparison.h"

#include <spdlog/fmt/fmt.h>

#include "console.h"
#include "table.h"

namespace skinbake::cli {

namespace {

// More than this, and only the last table is read.
constexpr std::size_t kMostTables = 8;

using Row = std::vector<std::string>;

std::string number_text(const std::optional<std::int64_t>& number) {
  return number ? fmt::format("{}", *number) : "-";
}

std::string clip_text(const std::string& clip) {
  return clip.empty() ? "(rest)" : one_line(clip);
}

Row row_of(const MethodStanding& m) {
  Row row{one_line(m.method), "-", "-", "-", "-", "-", "-", "-", "-", "-"};
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
    row[9] = one_line(m.joint_loss->joint) + " " + percent_text(m.joint_loss->value);
  }
  return row;
}

Row head() {
  return {"method", "cost",        "rms m", "max m", "vertex",
          "frame",  "volume loss", "frame", "gain",  "worst joint"};
}

std::string ranking_text(const std::string& reference, RankBy by) {
  return fmt::format("errors against {}, best first: {}", one_line(reference),
                     by == RankBy::kError ? "least rms error" : "least change of volume");
}

std::string table_of(std::vector<MethodStanding> methods, RankBy by) {
  std::vector<Row> rows{head()};
  for (const MethodStanding& m : ranked(std::move(methods), by)) rows.push_back(row_of(m));
  return table_text(rows, "lrrrrrrrrl");
}

// Of all meshes and clips: where each method is worst.
std::string table_of_all(std::vector<MethodStanding> methods, RankBy by) {
  std::vector<Row> rows{head()};
  rows.front().push_back("worst in");
  for (const MethodStanding& m : ranked(std::move(methods), by)) {
    Row& row = rows.emplace_back(row_of(m));
    const std::optional<WorstValue> worst =
        by == RankBy::kVolumeChange && m.loss ? m.volume_change() : m.max;
    row.push_back(worst ? one_line(worst->mesh) + ", " + clip_text(worst->clip) : "-");
  }
  return table_text(rows, "lrrrrrrrrll");
}

}  // namespace

std::string comparison_text(const Report& report) {
  const std::vector<MethodStanding> all = standings(report);
  const RankBy by = rank_by(all, report.settings.reference);
  const std::string ranking = ranking_text(report.settings.reference, by);
  const std::size_t tables = report.meshes.size() * report.clips.size();
  std::string text;
  for (const MeshRecord& mesh : report.meshes) {
    if (tables > kMostTables) break;
    for (const ClipRecord& clip : report.clips) {
      const std::string id = clip.clip == nullptr ? "" : clip.clip->id;
      text += fmt::format("{}, {}, {} frames; {}\n", one_line(mesh.rig->id), clip_text(id),
                          clip.frames.frame_count, ranking);
      text += table_of(standings(mesh, id), by) + (tables > 1 ? "\n" : "");
    }
  }
  if (tables == 1) return text;
  return text +
         fmt::format("all of {} mesh{} and {} clip{}; {}\n", report.meshes.size(),
                     report.meshes.size() == 1 ? "" : "es", report.clips.size(),
                     report.clips.size() == 1 ? "" : "s", ranking) +
         table_of_all(all, by);
}

}  // namespace skinbake::cli
