#include "comparison/explain.h"

#include <algorithm>
#include <deque>
#include <map>

#include "json/text.h"
#include "report/report_text.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

using Points = std::vector<VertexIndex>;  // [vertex] points_of

// A vertex in the frame of its largest error.
struct Worst {
  double error_m;
  const MeshRecord* mesh;
  const RunRecord* run;
  std::size_t vertex;
  const Points* points;
};

// Inserts a vertex into the sorted list of the `count` worst; of equal errors the first one stays.
void insert(const Worst& worst, std::size_t count, std::vector<Worst>& kept) {
  if (!(worst.error_m > 0)) return;
  if (kept.size() == count && kept.back().error_m >= worst.error_m) return;
  const auto place = std::find_if(
      kept.begin(), kept.end(), [&](const Worst& other) { return other.error_m < worst.error_m; });
  kept.insert(place, worst);
  if (kept.size() > count) kept.pop_back();
}

// Returns the vertex of each point with the largest error, ascending; of equal errors the first
// one.
std::vector<VertexIndex> worst_copies(const std::vector<double>& errors, const Points& points) {
  Points worst = points;
  for (VertexIndex v = 0; v < points.size(); ++v) {
    VertexIndex& of_point = worst[points[v]];
    if (errors[v] > errors[of_point]) of_point = v;
  }
  std::vector<VertexIndex> vertices;
  for (VertexIndex v = 0; v < points.size(); ++v) {
    if (worst[points[v]] == v) vertices.push_back(v);
  }
  return vertices;
}

const Clip* clip_of(const Report& report, const std::string& id) {
  for (const ClipRecord& record : report.clips) {
    if (record.clip != nullptr && record.clip->id == id) return record.clip;
  }
  return nullptr;
}

ExplainedRig rig_of(const Report& report, const Worst& worst) {
  const Rig* const rig = worst.run->rig == nullptr ? worst.mesh->rig : worst.run->rig;
  return {rig, clip_of(report, worst.run->clip), worst.run->method};
}

Explanation explained(const Worst& worst, const ExplainedRig& rig) {
  const RunRecord& run = *worst.run;
  const std::int64_t frame = run.error->per_vertex.max_frame[worst.vertex];
  Explanation explanation =
      explain(*rig.rig, rig.clip, run.frames.sample_time_s(frame),
              static_cast<VertexIndex>(worst.vertex), parse_method(rig.method));
  explanation.method = run_name(explanation.method, run.profile);
  explanation.frame = run.frames.frame(frame);
  explanation.pose = run.frames.pose_name(explanation.frame);
  explanation.reference = run.reference;
  explanation.error_m = worst.error_m;
  const Points& points = *worst.points;
  for (VertexIndex v = 0; v < points.size(); ++v) {
    if (points[v] == points[worst.vertex] && v != worst.vertex) explanation.copies.push_back(v);
  }
  return explanation;
}

}  // namespace

std::vector<Explanation> explain_worst(const Report& report, std::size_t count,
                                       const std::optional<ExplainedRig>& rig) {
  std::vector<std::string> methods;
  std::map<std::string, std::vector<Worst>> worst;
  std::deque<Points> points;  // [mesh]
  for (const MeshRecord& mesh : report.meshes) {
    points.push_back(points_of(rig ? *rig->rig : *mesh.rig));
    for (const RunRecord& run : mesh.runs) {
      if (!run.error) continue;
      const std::string name = run.name();
      if (!worst.contains(name)) methods.push_back(name);
      const std::vector<double>& errors = run.error->per_vertex.max;
      for (const VertexIndex v : worst_copies(errors, points.back())) {
        insert({errors[v], &mesh, &run, v, &points.back()}, count, worst[name]);
      }
    }
  }
  std::vector<Explanation> explanations;
  for (const std::string& method : methods) {
    for (const Worst& one : worst[method]) {
      explanations.push_back(explained(one, rig ? *rig : rig_of(report, one)));
    }
  }
  return explanations;
}

std::string explanations_text(const Report& report) {
  std::string text;
  for (const Explanation& e : report.explain) {
    text += fmt::format("\n{}, {}, {}: {:.3g} m from {}\n  {}\n", printable(e.mesh),
                        printable(e.method), place_text(e, printable), e.error_m,
                        printable(e.reference), printable(e.cause));
    for (const ExplainedInfluence& i : e.influences) {
      text += fmt::format("  {:.3f}  {}  {}\n", i.weight, printable(i.name), rotation_text(i));
    }
  }
  return text;
}

}  // namespace skinbake::cli
