#include "inspect/inspection.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/codes.h"
#include "humanoid/findings.h"
#include "inspect/inspect.h"
#include "rig/surface/cracks.h"
#include "rig/surface/triangles.h"
#include "skinbake/error.h"
#include "skinbake/methods.h"
#include "skinbake/metrics.h"

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
  return {static_cast<std::int64_t>(topology.components.size()),
          topology.boundary_edges,
          topology.nonmanifold_edges,
          topology.degenerate_triangles,
          topology.cracked_positions,
          topology.closed};
}

MeshCracks widest_cracks(const Asset& asset, double fps) {
  MeshCracks widest;
  for (const Rig& rig : asset.rigs) {
    const auto add = [&](const Clip* clip, const FrameRange& frames) {
      const std::optional<Crack> crack = widest_crack(rig, clip, frames);
      const auto known = widest.find(&rig);
      if (crack && (known == widest.end() || crack->gap_m > known->second.crack.gap_m)) {
        widest.insert_or_assign(&rig, ClipCrack{*crack, clip, frames});
      }
    };
    if (cracked_pairs(rig).empty()) continue;
    if (asset.clips.empty()) add(nullptr, {});
    for (const Clip& clip : asset.clips) {
      if (const auto count = frame_count(clip, fps)) add(&clip, {fps, 0, 1, *count});
    }
  }
  return widest;
}

Issues crack_issues(const MeshCracks& cracks) {
  Issues issues;
  for (const auto& [rig, widest] : cracks) {
    const std::string clip = widest.clip == nullptr ? "" : widest.clip->id;
    for (Issue& issue : crack_issues(*rig, widest.crack, clip, widest.frames,
                                     bind_baseline(*rig).bbox_diagonal_m)) {
      issues.push_back(std::move(issue));
    }
  }
  return issues;
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

// An issue of a report may have a code that the table does not have.
std::string_view remedy_of(const std::string& code) {
  const CodeInfo* const info = find_code(code);
  return info != nullptr ? info->remedy : std::string_view();
}

std::vector<std::string> warning_codes() {
  std::vector<std::string> codes;
  for (const CodeInfo& info : code_table()) {
    if (info.kind == CodeKind::kWarning) codes.emplace_back(info.code);
  }
  return codes;
}

std::vector<IssueGroup> grouped(const Issues& issues) {
  std::vector<IssueGroup> groups;
  std::map<std::string_view, std::size_t> position;
  for (const Issue& issue : issues) {
    const auto [found, is_new] = position.emplace(issue.code, groups.size());
    if (is_new) groups.push_back({issue.code, issue.severity, remedy_of(issue.code), {}, 0});
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

std::optional<PoseGap> loop_gap_of(const Asset& asset, const Clip& clip) {
  std::vector<const Rig*> rigs;
  for (const Rig& rig : asset.rigs) rigs.push_back(&rig);
  const std::vector<PoseGap> gaps = pose_gaps(rigs, clip, 0, clip.duration_s);
  const auto largest = std::ranges::max_element(gaps, {}, &PoseGap::metres);
  return largest == gaps.end() ? std::nullopt : std::optional(*largest);
}

HumanoidSummary summarise_humanoid(const Asset& asset) {
  const NodeTree tree(*asset.skeleton);
  const HumanoidBody body = humanoid_body(tree, asset.humanoid);
  HumanoidSummary summary;
  summary.source = asset.humanoid.source;
  summary.missing.assign(body.missing.begin(), body.missing.end());
  for (const HumanoidBone& bone : asset.humanoid.bones) summary.rows.push_back({bone, {}, 0});
  const auto rank = [](const HumanoidRow& row) {
    const HumanBone* known = human_bone(row.bone.bone);
    return known == nullptr ? kHumanBones.size() : std::size_t(known - kHumanBones.data());
  };
  std::stable_sort(summary.rows.begin(), summary.rows.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  if (!body.pose) return summary;
  summary.is_posed = true;
  for (HumanoidRow& row : summary.rows) {
    for (const TPosedBone& posed : body.pose->bones) {
      if (posed.bone != row.bone.bone) continue;
      row.degrees_off = posed.degrees_off;
      row.tolerance_deg = posed.tolerance_deg;
    }
  }
  summary.hips_height_m = body.hips_height_m;
  const Vec3<double>& forward = body.pose->frame.forward;
  const double components[] = {forward.x, forward.y, forward.z};
  std::size_t axis = 0;
  for (std::size_t a = 1; a < 3; ++a) {
    if (std::abs(components[a]) > std::abs(components[axis])) axis = a;
  }
  summary.facing = std::string(components[axis] < 0 ? "-" : "+") + "XYZ"[axis];
  return summary;
}

}  // namespace skinbake
