#include "diff/library/causes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compare/rig_data.h"
#include "outputs/output_paths.h"
#include "report/causes.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

// Whether a pair of the mesh differs or could not be compared.
bool mesh_differs(const Report& report, const std::string& id) {
  const std::vector<FailedPair>& failed = report.library->failed;
  const auto is_failed = [&](const FailedPair& pair) { return pair.name == id; };
  if (std::any_of(failed.begin(), failed.end(), is_failed)) return true;
  return std::any_of(report.meshes.begin(), report.meshes.end(), [&](const MeshRecord& mesh) {
    return mesh.rig->id == id &&
           std::any_of(mesh.runs.begin(), mesh.runs.end(),
                       [](const auto& run) { return run.difference->vertices > 0; });
  });
}

void add_issue_of_data(const FilePair& files, const std::vector<RigDataDifference>& data,
                       Report& report) {
  constexpr std::size_t kNamed = 5;
  if (data.empty()) return;
  const std::vector<Cause> causes = causes_of(data);
  Issue issue;
  issue.code = "RIG_DATA_DIFFERS";
  issue.severity = Severity::kInfo;
  issue.file = shown(files.b);
  for (std::size_t i = 0; i < std::min(kNamed, causes.size()); ++i) {
    issue.message += (i == 0 ? "" : "; ") + causes[i].text;
  }
  if (causes.size() > kNamed) {
    issue.message += fmt::format("; and {} more", causes.size() - kNamed);
  }
  issue.count = static_cast<std::int64_t>(data.size());
  report.issues.push_back(std::move(issue));
}

}  // namespace

std::string id_in(const std::string& file, const std::string& mesh) {
  return file.empty() ? mesh : mesh.empty() ? file : file + "/" + mesh;
}

void add_causes(const FilePair& files, const RigPairs& pairs,
                const std::set<std::string>& other_triangles, Report& report) {
  std::vector<RigDataDifference> all;
  const auto add = [&](const char* kind, const std::string& name,
                       const std::vector<std::string>& found) {
    for (const std::string& what : found) all.push_back({files.name, kind, name, what});
  };
  bool moves = false;
  for (const RigPairs::Meshes& meshes : pairs.meshes) {
    const std::string id = id_in(files.name, meshes.a->id);
    const bool differs = mesh_differs(report, id);
    moves = moves || differs;
    if (!differs && !other_triangles.contains(id)) continue;
    add("mesh", meshes.a->id, mesh_differences(*meshes.a, *meshes.b));
  }
  if (moves) {
    add("nodes", "", node_differences(*pairs.a->skeleton, *pairs.b->skeleton));
    for (const RigPairs::Clips& clips : pairs.clips) {
      if (clips.a == nullptr) continue;
      add("clip", clips.a->id,
          clip_differences(*pairs.a->skeleton, clips.a, *pairs.b->skeleton, clips.b));
    }
  } else if (all.empty()) {
    return;
  }
  add_issue_of_data(files, all, report);
  auto& data = report.rig_data ? *report.rig_data : report.rig_data.emplace();
  data.insert(data.end(), all.begin(), all.end());
}

}  // namespace skinbake::cli
