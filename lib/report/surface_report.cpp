#include "report/surface_report.h"
#include "skinbake/report.h"

#include <cmath>
#include <utility>

namespace skinbake {

namespace {

// Both directions call a joint by its name in A: nodes without names have other numbers in B.
std::vector<std::string> names_in_a(const BindSurface& of, const BindSurface& a) {
  std::vector<std::string> by_id(a.joint_id_count);
  for (std::size_t j = 0; j < a.joints.size(); ++j) by_id[a.joint_ids[j]] = a.joints[j].name;
  std::vector<std::string> names;
  names.reserve(of.joints.size());
  for (std::size_t j = 0; j < of.joints.size(); ++j) {
    const std::string& name = by_id[of.joint_ids[j]];
    names.push_back(name.empty() ? "b: " + of.joints[j].name : name);
  }
  return names;
}

}  // namespace

SurfaceDirection direction_of(const BindSurfaces& surfaces, Toward toward,
                              const PointPairs& pairs) {
  const bool to_b = toward == Toward::kB;
  SurfaceDirection direction;
  direction.name = to_b ? "a to b" : "b to a";
  direction.of = to_b ? &surfaces.a : &surfaces.b;
  direction.other = to_b ? &surfaces.b : &surfaces.a;
  direction.diagonal_m = surfaces.a.diagonal_m;
  direction.pairs = &pairs;
  direction.at_rest = bind_distance(pairs, *direction.of, *direction.other);
  direction.area_m2 = surface_area(*direction.of);
  direction.other_area_m2 = surface_area(*direction.other);
  direction.joints.reserve(pairs.points.size());
  for (const SurfacePoint& point : pairs.points) {
    direction.joints.push_back(heaviest_joint(*direction.of, point));
  }
  direction.joint_names = names_in_a(*direction.of, surfaces.a);
  return direction;
}

Rig rig_of_points(const std::string& id, const SurfaceDirection& direction) {
  auto mesh = std::make_shared<Mesh>();
  mesh->positions.reserve(direction.pairs->points.size() * 3);
  for (const SurfacePoint& point : direction.pairs->points) {
    const Vec3<double> p = direction.of->position(point);
    for (const double x : {p.x, p.y, p.z}) mesh->positions.push_back(static_cast<float>(x));
  }
  mesh->triangles = direction.of->triangles;
  mesh->primitives.push_back({0, mesh->vertex_count()});
  Rig rig;
  rig.id = id;
  rig.node = -1;
  rig.mesh = std::move(mesh);
  return rig;
}

std::vector<JointError> joint_errors(const SurfaceDirection& direction,
                                     const PositionErrorResult& error) {
  std::vector<JointError> all(direction.of->joints.size());
  for (std::uint32_t j = 0; j < all.size(); ++j) all[j].joint = j;
  for (std::size_t p = 0; p < direction.joints.size(); ++p) {
    JointError& joint = all[direction.joints[p]];
    const double max = error.per_vertex.max[p], rms = error.per_vertex.rms[p];
    if (joint.points++ == 0 || max > joint.max) {
      joint.max = max;
      joint.max_at = {.frame = error.per_vertex.max_frame[p],
                      .vertex = static_cast<std::int64_t>(p)};
    }
    joint.rms += rms * rms;
  }
  std::erase_if(all, [](const JointError& joint) { return joint.points == 0; });
  for (JointError& joint : all) {
    joint.rms = std::sqrt(joint.rms / static_cast<double>(joint.points));
  }
  return all;
}

MetricResult surface_section(const SurfaceDirection& direction, const PositionErrorResult& error,
                             const std::string& other_clip, std::int64_t frames_left_out) {
  const auto joint_at = [&](std::int64_t point) {
    return direction.joint_at(static_cast<std::size_t>(point));
  };
  // Points that are not vertices of the file come after its vertices.
  const auto is_inside_face = [&](std::int64_t point) {
    return point >= static_cast<std::int64_t>(direction.of->positions.size());
  };
  const auto worst = static_cast<std::int64_t>(direction.at_rest.worst);
  std::vector<std::vector<SectionField>> joints;
  for (const JointError& joint : joint_errors(direction, error)) {
    joints.push_back({{"joint", direction.joint_names[joint.joint]},
                      {"points", joint.points},
                      {"rms", joint.rms},
                      {"max", joint.max},
                      {"max_at", joint.max_at}});
  }
  Place max_at = error.max_at;
  max_at.joint = joint_at(max_at.vertex);
  max_at.inside_face = is_inside_face(max_at.vertex);
  MetricResult section{"surface",
                       {{"unit", std::string("m")},
                        {"direction", std::string(direction.name)},
                        {"other_clip", other_clip},
                        {"vertices", static_cast<std::int64_t>(direction.of->positions.size())},
                        {"points", static_cast<std::int64_t>(direction.pairs->points.size())},
                        {"facing_away", direction.pairs->facing_away},
                        {"area_m2", direction.area_m2},
                        {"other_area_m2", direction.other_area_m2},
                        {"at_rest_rms", direction.at_rest.rms},
                        {"at_rest", direction.at_rest.max},
                        {"at_rest_relative", direction.at_rest.max / direction.diagonal_m},
                        {"at_rest_vertex", worst}}};
  std::vector<SectionField>& fields = section.fields;
  if (const auto& placement = direction.placement) {
    fields.push_back({"placed_by", std::vector<SectionField>{{"joint", placement->joint},
                                                             {"instead_of", placement->heaviest},
                                                             {"apart", placement->apart_m}}});
  }
  if (frames_left_out > 0) fields.push_back({"frames_left_out", frames_left_out});
  if (is_inside_face(worst)) fields.push_back({"at_rest_inside_face", true});
  fields.push_back({"at_rest_joint", joint_at(worst)});
  fields.push_back({"max", error.max});
  fields.push_back({"max_relative", error.max_relative});
  fields.push_back({"max_at", std::move(max_at)});
  fields.push_back({"rms", error.rms});
  fields.push_back({"joints", std::move(joints)});
  return section;
}

namespace {

constexpr MetricField kSurfaceFields[] = {
    {"max", Unit::kMetres}, {"rms", Unit::kMetres}, {"at_rest", Unit::kMetres}};
constexpr MetricField kHausdorffFields[] = {{"max", Unit::kMetres}, {"at_rest", Unit::kMetres}};

}  // namespace

std::vector<MetricInfo> difference_sections() {
  std::vector<MetricInfo> sections = metrics();
  std::erase_if(sections, [](const MetricInfo& metric) { return metric.id != "error"; });
  sections.push_back(
      {"surface", "distance of every point from its partner on the other surface", kSurfaceFields});
  sections.push_back({"hausdorff", "Hausdorff distance of both surfaces", kHausdorffFields});
  return sections;
}

std::optional<Place> worst_point(const RunRecord& run) {
  for (const MetricResult& section : run.metrics) {
    if (section.id == "surface") return place_of(section, "max");
  }
  return {};
}

}  // namespace skinbake
