#include "bake/job.h"

#include <algorithm>

#include "rig/surface/weld.h"

namespace skinbake {

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
  for (std::size_t r = 0; r < plan.runs.size(); ++r) {
    if (!makes_normals(r, plan.runs[r].sinks, NormalKind::kGeometric)) continue;
    const std::vector<VertexIndex> welded = weld_vertices(*plan.rig, WeldBy::kFile).welded;
    corners = group_corners(*plan.rig, welded, plan.rig->mesh->triangles);
    break;
  }
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
