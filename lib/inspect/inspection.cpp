#include "inspect/inspection.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/issue.h"
#include "rig/draw_sections.h"
#include "skinbake/error.h"
#include "skinbake/methods.h"
#include "skinbake/metrics.h"
#include "skinbake/tool/inspect.h"

namespace skinbake {

InfluenceCounts count_influences(const Rig& rig) {
  InfluenceCounts counts;
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    const std::size_t n = rig.influences_of(v).size();
    counts.max = std::max(counts.max, n);
    for (std::size_t i = 0; i < kInfluenceLimits.size(); ++i)
      counts.over[i] += n > kInfluenceLimits[i];
  }
  return counts;
}

SectionCounts count_sections(const Rig& rig) {
  SectionCounts counts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i] = count_draw_sections(rig, kDrawSectionJointLimits[i]);
  }
  return counts;
}

std::vector<std::string> methods_on(const Rig& rig) {
  std::vector<std::string> names;
  if (!rig.skinned) return names;
  for (const MethodInfo& info : methods()) {
    if (info.follow_mesh == nullptr) continue;
    names.push_back(on_mesh(parse_method(info.id), rig).canonical());
  }
  return names;
}

SurfaceCounts count_surface(const Rig& rig) {
  if (rig.mesh->triangles.empty()) return {};
  const Topology topology = build_topology(rig, bind_baseline(rig));
  return {static_cast<std::int64_t>(topology.components.size()), topology.boundary_edges,
          topology.nonmanifold_edges, topology.degenerate_triangles, topology.closed};
}

std::int64_t key_count(const Clip& clip) {
  std::int64_t count = 0;
  for (const Channel& channel : clip.channels) {
    count += static_cast<std::int64_t>(channel.times->size());
  }
  return count;
}

std::optional<std::int64_t> frame_count(const Clip& clip, double fps) {
  try {
    return frames_of(clip, fps).frame_count;
  } catch (const Error&) {  // the rate is valid, so the clip is too long
    return {};
  }
}

double first_key_s(const Clip& clip) {
  double first = clip.duration_s;
  for (const Channel& channel : clip.channels) first = std::min(first, channel.times->front());
  return first;
}

std::string_view remedy_of(const Issue& issue) {
  for (const IssueInfo& info : issue_table()) {
    if (info.code == issue.code) return info.remedy;
  }
  return "";
}

std::vector<IssueGroup> grouped(const Issues& issues) {
  std::vector<IssueGroup> groups;
  std::map<std::string_view, std::size_t> position;
  for (const Issue& issue : issues) {
    const auto [found, is_new] = position.emplace(issue.code, groups.size());
    if (is_new) groups.push_back({issue.code, issue.severity, remedy_of(issue), {}, 0});
    IssueGroup& group = groups[found->second];
    group.issues.push_back(&issue);
    group.count += issue.count;
  }
  return groups;
}

Totals totals_of(const Asset& asset) {
  Totals totals;
  std::set<const Mesh*> meshes;
  for (const Rig& rig : asset.rigs) {
    meshes.insert(rig.mesh.get());
    totals.primitives += static_cast<std::int64_t>(rig.mesh->primitives.size());
    totals.vertices += rig.mesh->vertex_count();
    totals.triangles += static_cast<std::int64_t>(rig.mesh->triangles.size());
  }
  totals.meshes = static_cast<std::int64_t>(meshes.size());
  return totals;
}

}  // namespace skinbake
