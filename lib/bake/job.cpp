// Validation of plans, and the data that all blocks of a plan share.

#include <algorithm>
#include <cmath>
#include <string>

#include "bake/job.h"
#include "rig/primitive_normals.h"
#include "rig/surface/triangles.h"
#include "rig/surface/weld.h"
#include "skinbake/bake.h"
#include "skinbake/error.h"
#include "skinbake/frames.h"

namespace skinbake {

namespace {

// Collects the conditions that a plan breaks.
class Conditions {
 public:
  // Returns `holds`.
  bool require(bool holds, const std::string& otherwise) {
    if (!holds) broken_ += (broken_.empty() ? "" : "; ") + otherwise;
    return holds;
  }
  void throw_if_broken() const {
    if (!broken_.empty()) throw Error("PLAN_INVALID", "the plan: " + broken_);
  }

 private:
  std::string broken_;
};

std::string indexed(const std::string& list, std::size_t i) {
  return list + "[" + std::to_string(i) + "]";
}

void require_sinks(const std::vector<FrameSink*>& sinks, const std::string& list, Conditions& all) {
  for (std::size_t s = 0; s < sinks.size(); ++s) {
    all.require(sinks[s] != nullptr, indexed(list, s) + " is null");
  }
}

bool has_mesh(const Rig& rig) {
  return rig.mesh != nullptr && rig.skeleton != nullptr;
}

void require_method(const Method& method, const std::string& name, Conditions& all) {
  const bool is_known =
      method.index >= 0 && static_cast<std::size_t>(method.index) < methods().size();
  if (!all.require(is_known, name + ".method.index is not an index into methods()")) return;
  const std::string fault = fault_of(method);
  all.require(fault.empty(),
              name + ".method.values of '" + std::string(method.info().id) + "': " + fault);
}

void require_run(const MethodRun& run, const std::string& name, const Rig* rig, Conditions& all) {
  require_method(run.method, name, all);
  require_sinks(run.sinks, name + ".sinks", all);
  if (run.rig == nullptr || rig == nullptr) return;
  all.require(run.rig->mesh == rig->mesh && run.rig->joints.size() == rig->joints.size(),
              name + ".rig must have the mesh and the joints of the plan's rig");
}

void require_reference(const BakePlan& plan, Conditions& all) {
  if (plan.reference.kind == Reference::Kind::kMethod) {
    require_method(plan.reference.method, "reference", all);
  }
  if (plan.reference.kind != Reference::Kind::kFrames) return;
  const FrameSource* frames = plan.reference.frames;
  if (!all.require(frames != nullptr, "reference.frames is null")) return;
  all.require(frames->frame_count() == plan.frames.frame_count,
              "reference.frames must have as many frames as the plan");
  if (plan.rig == nullptr || !has_mesh(*plan.rig)) return;
  all.require(frames->vertex_count() == plan.rig->mesh->vertex_count(),
              "reference.frames must have as many vertices as the rig's mesh");
}

}  // namespace

void validate(const BakePlan& plan) {
  if (plan.rig != nullptr) require_read(*plan.rig);
  if (plan.clip != nullptr) require_read(*plan.clip);
  Conditions all;
  if (all.require(plan.rig != nullptr, "rig is null")) {
    all.require(has_mesh(*plan.rig), "rig must have a mesh and a skeleton");
  }
  all.require(plan.space == Space::kScene || plan.space == Space::kMesh,
              "space must be an enumerator of Space");
  all.require(std::isfinite(plan.frames.fps) && plan.frames.fps > 0,
              "frames.fps must be positive and finite");
  all.require(plan.frames.first_frame >= 0, "frames.first_frame must not be negative");
  all.require(plan.frames.frame_step > 0, "frames.frame_step must be positive");
  all.require(plan.frames.frame_count >= 0, "frames.frame_count must not be negative");
  for (std::size_t r = 0; r < plan.runs.size(); ++r) {
    require_run(plan.runs[r], indexed("runs", r), plan.rig, all);
  }
  require_reference(plan, all);
  all.require(plan.threads >= 0, "threads must not be negative");
  all.throw_if_broken();
}

void validate(const StreamPlan& plan) {
  Conditions all;
  const bool has_frames = all.require(plan.frames != nullptr, "frames is null");
  if (has_frames && plan.reference != nullptr) {
    all.require(plan.reference->frame_count() == plan.frames->frame_count() &&
                    plan.reference->vertex_count() == plan.frames->vertex_count(),
                "reference must have as many frames and vertices as frames");
  }
  require_sinks(plan.sinks, "sinks", all);
  all.require(plan.threads >= 0, "threads must not be negative");
  all.throw_if_broken();
}

namespace {

std::size_t index_of(const Rig* rig, const std::deque<PackedSkin>& skins) {
  const auto found = std::find_if(skins.begin(), skins.end(),
                                  [&](const PackedSkin& skin) { return skin.rig == rig; });
  return static_cast<std::size_t>(found - skins.begin());
}

std::deque<PackedSkin> skins_of(const BakePlan& plan, const Vec3<double>& centre) {
  const bool is_exact = plan.reference.kind == Reference::Kind::kExact;
  std::deque<PackedSkin> skins;
  skins.emplace_back(*plan.rig, centre, is_exact);
  for (const MethodRun& run : plan.runs) {
    if (run.rig == nullptr || index_of(run.rig, skins) < skins.size()) continue;
    skins.emplace_back(*run.rig, centre, is_exact);
  }
  return skins;
}

CornerGroups corners_of(const Rig& rig, std::span<const Triangle> triangles) {
  return group_corners(rig, weld_vertices(rig, WeldBy::kFile).welded, triangles);
}

// The corners of some primitives. Their vertices are the only ones.
CornerGroups corners_of(const Rig& rig, const std::vector<Primitive>& primitives) {
  std::vector<bool> is_in(rig.mesh->vertex_count());
  for (const Primitive& primitive : primitives) {
    std::fill_n(is_in.begin() + primitive.first_vertex, primitive.vertex_count, true);
  }
  std::vector<Triangle> triangles;
  for (const Triangle& t : rig.mesh->triangles) {
    if (is_in[t[0]] || is_in[t[1]] || is_in[t[2]]) triangles.push_back(t);
  }
  CornerGroups corners = corners_of(rig, triangles);
  std::erase_if(corners.vertices, [&](const CornerVertex& v) { return !is_in[v.vertex]; });
  return corners;
}

}  // namespace

PackedSkin::PackedSkin(const Rig& of, const Vec3<double>& centre, bool is_exact)
    : rig(&of), packed(of, centre) {
  if (is_exact) exact.emplace(of, centre);
}

Job::Job(const BakePlan& bake_plan)
    : plan(bake_plan),
      centre(centre_of(*plan.rig->mesh)),
      rigid_factors(*plan.rig, centre),
      sampler(*plan.rig, plan.clip, centre),
      stretched(false),
      exact_stretched(false),
      skins(skins_of(plan, centre)) {
  for (const MethodRun& run : plan.runs) {
    const std::size_t skin = run.rig == nullptr ? 0 : index_of(run.rig, skins);
    add(on_mesh(run.method, *skins[skin].rig), skin);
  }
  if (has_method_reference()) reference = find_or_add(on_mesh(plan.reference.method, *plan.rig), 0);
  for (std::size_t m = 0; m < methods.size(); ++m) {
    if (methods[m].sweep_count() == 0) continue;
    const int base = hooks(methods[m].method).base(methods[m].method.values);
    const Method base_method = parse_method(skinbake::methods()[base].id);
    const std::size_t index = find_or_add(base_method, methods[m].skin);
    methods[m].base = index;
  }
  const bool rigid = std::any_of(methods.begin(), methods.end(),
                                 [](const BoundMethod& m) { return hooks(m.method).is_rigid; });
  stretched = rigid && rigid_factors.is_stretched(sampler, kNeglectedStretch, plan.space);
  exact_stretched =
      stretched ||
      (rigid && is_exact() && rigid_factors.is_stretched(sampler, kStretchRounding, plan.space));
  const Mesh& mesh = *plan.rig->mesh;
  if (makes_normals(NormalKind::kGeometric)) corners = corners_of(*plan.rig, mesh.triangles);
  if (!makes_normals(NormalKind::kSkinned)) return;
  const std::vector<Primitive> without = primitives_without_normals(mesh);
  if (!without.empty()) corners_without_normals = corners_of(*plan.rig, without);
}

bool Job::makes_normals(NormalKind kind) const {
  for (std::size_t r = 0; r < plan.runs.size(); ++r) {
    if (makes_normals(r, plan.runs[r].sinks, kind)) return true;
  }
  return false;
}

void Job::add(const Method& method, std::size_t skin) {
  BoundMethod& one = methods.emplace_back();
  one.method = method;
  one.skin = skin;
  BindData bound = bind_method(method, {*skins[skin].rig, rigid_factors.tree(), centre}, plan);
  one.numbers = rounded<float>(bound);
  one.parts.numbers_per_part = bound.numbers_per_part;
  one.parts.first_part_joint = bound.first_part_joint;
  one.parts.part_joints = bound.part_joints;
  one.parts.part_numbers = bound.part_numbers;
  if (is_exact()) one.exact_numbers = std::move(bound);
}

std::size_t Job::find_or_add(const Method& method, std::size_t skin) {
  const auto known = std::find_if(methods.begin(), methods.end(), [&](const BoundMethod& m) {
    return m.method == method && m.skin == skin;
  });
  const auto index = static_cast<std::size_t>(known - methods.begin());
  if (known == methods.end()) add(method, skin);
  return index;
}

int BoundMethod::sweep_count() const {
  const auto count = hooks(method).sweep_count;
  return count == nullptr ? 0 : count(method.values);
}

ScalePivot BoundMethod::pivot() const {
  const auto pivot = hooks(method).scale_pivot;
  return pivot == nullptr ? ScalePivot::kJoint : pivot(method.values);
}

bool Job::needs_rigid(ScalePivot pivot) const {
  return std::any_of(methods.begin(), methods.end(), [&](const BoundMethod& m) {
    return hooks(m.method).is_rigid && m.pivot() == pivot;
  });
}

bool Job::needs_tracking() const {
  return std::any_of(methods.begin(), methods.end(), [](const BoundMethod& m) {
    const auto is_tracked = hooks(m.method).is_tracked;
    return is_tracked != nullptr && is_tracked(m.method.values);
  });
}

bool Job::needs_doubles() const {
  return is_exact() || std::any_of(methods.begin(), methods.end(),
                                   [](const BoundMethod& m) { return m.parts.part_count() > 0; });
}

}  // namespace skinbake
