// The normals and tangents that a bake can compute, and the ones that its sinks request.

#include "skinbake/normals.h"

#include <algorithm>

#include "bake/block/block_joints.h"

namespace skinbake {

namespace {

// A method that relaxes computes points, without a transform that could turn a normal.
bool transforms_normals(const Method& method) {
  const auto count = hooks(method).sweep_count;
  return count == nullptr || count(method.values) == 0;
}

}  // namespace

std::optional<NormalKind> wanted_normals(const FrameSink* sink) {
  const auto* const reader = dynamic_cast<const NormalReader*>(sink);
  return reader == nullptr ? std::nullopt : reader->wanted_normals();
}

bool Job::makes_tangents(std::size_t r, const std::vector<FrameSink*>& sinks,
                         NormalKind kind) const {
  return available_tangents(*plan.rig->mesh, methods[r].method) && makes_normals(r, sinks, kind) &&
         std::any_of(sinks.begin(), sinks.end(), [&](const FrameSink* sink) {
           return wanted_normals(sink) == kind &&
                  dynamic_cast<const NormalReader&>(*sink).wants_tangents();
         });
}

bool Job::makes_normals(std::size_t r, const std::vector<FrameSink*>& sinks,
                        NormalKind kind) const {
  const Mesh& mesh = *plan.rig->mesh;
  const bool has_them = kind == NormalKind::kGeometric
                            ? !mesh.triangles.empty()
                            : !mesh.normals.empty() && transforms_normals(methods[r].method);
  return has_them && std::any_of(sinks.begin(), sinks.end(), [&](const FrameSink* sink) {
           return wanted_normals(sink) == kind;
         });
}

bool Job::keeps_skinned(std::size_t r, const std::vector<FrameSink*>& sinks) const {
  return makes_normals(r, sinks, NormalKind::kSkinned) &&
         std::any_of(sinks.begin(), sinks.end(), [](const FrameSink* sink) {
           return wanted_normals(sink) == NormalKind::kSkinned &&
                  dynamic_cast<const NormalReader&>(*sink).needs_whole_normals();
         });
}

std::optional<NormalKind> available_normals(const Mesh& mesh, const Method& method,
                                            NormalKind wanted) {
  const bool is_skinned = wanted == NormalKind::kSkinned;
  if (is_skinned && mesh.normals.empty()) return std::nullopt;
  if (is_skinned && transforms_normals(method)) return NormalKind::kSkinned;
  return mesh.triangles.empty() ? std::nullopt : std::optional(NormalKind::kGeometric);
}

bool available_tangents(const Mesh& mesh, const Method& method) {
  return !mesh.tangents.empty() && transforms_normals(method);
}

}  // namespace skinbake
