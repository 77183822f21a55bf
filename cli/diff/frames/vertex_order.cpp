#include "diff/frames/vertex_order.h"

#include <array>
#include <span>
#include <vector>

#include "outputs/output_paths.h"
#include "surfaces/side.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

std::vector<float> first_frame(const FrameSource& source) {
  std::vector<float> positions(static_cast<std::size_t>(source.vertex_count()) * 3);
  source.read(0, 1, positions.data());
  return positions;
}

// "--rig-a" for the sides that are caches.
std::string rig_options(const DiffSide& a, const DiffSide& b) {
  return std::string(a.cache ? " --rig-a FILE" : "") + (b.cache ? " --rig-b FILE" : "");
}

}  // namespace

RigsAtBind::RigsAtBind(const ChosenRig& a, const ChosenRig& b)
    : path_a_(a.asset->path), path_b_(b.asset->path) {
  require_finite_bind(path_a_, {&a.rig, 1});
  require_finite_bind(path_b_, {&b.rig, 1});
  surfaces_ = bind_surfaces({&a.rig, 1}, {&b.rig, 1});
}

void RigsAtBind::require_same_order() const {
  if (!have_another_order(surfaces_)) return;
  const bool is_permuted = match_order(surfaces_.a, surfaces_.b).has_value();
  throw Error(
      "NOT_COMPARABLE",
      fmt::format("not comparable by index: the vertices of {} have another order than "
                  "those of {}{}; use --match {}, or --match index to compare them "
                  "nevertheless",
                  path_b_, path_a_, is_permuted ? "" : ", and other positions, normals or weights",
                  is_permuted ? "order" : "surface"));
}

// A node that mirrors its mesh reverses the triangles of the surface.
Issues RigsAtBind::other_triangles() const {
  return triangle_issue(triangle_difference(surfaces_.a.triangles, surfaces_.b.triangles), path_a_,
                        path_b_);
}

SurfaceAreas RigsAtBind::areas() const {
  return {surface_area(surfaces_.a), surface_area(surfaces_.b)};
}

Issues other_order(const DiffSide& a, const DiffSide& b, const Rig* rig) {
  const auto triangles_of = [](const Rig* mesh) {
    return mesh == nullptr ? std::span<const std::array<VertexIndex, 3>>{} : mesh->mesh->triangles;
  };
  const std::vector<float> of_a = first_frame(a.source()), of_b = first_frame(b.source());
  const FrameVertices in_a{of_a, triangles_of(a.rig ? a.rig->rig : nullptr)};
  const FrameVertices in_b{of_b, triangles_of(b.rig ? b.rig->rig : rig)};
  if (!have_another_order(in_a, in_b)) return {};
  Issue issue;
  issue.code = "VERTEX_ORDER_DIFFERS";
  issue.severity = Severity::kWarning;
  issue.file = shown(b.path);
  issue.message = fmt::format(
      "the vertices of the first frame are on the surface of {}, but in another order; compare "
      "them with --match order or --match surface{}",
      shown(a.path), rig_options(a, b));
  return {issue};
}

}  // namespace skinbake::cli
