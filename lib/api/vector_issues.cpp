#include "base/issue.h"
#include "skinbake/bake_to.h"

namespace skinbake {

namespace {

Issue normals_issue(const std::string& pointer, const Method& method, bool are_recomputed,
                    NormalKind wanted) {
  if (are_recomputed) {
    return make_issue("NORMALS_RECOMPUTED", "", pointer,
                      "'" + std::string(method.info().id) +
                          "' does not support normals; caches store those of the posed triangles");
  }
  return make_issue("NORMALS_UNAVAILABLE", "", pointer,
                    wanted == NormalKind::kSkinned
                        ? "the mesh does not have normals; caches do not store them"
                        : "the mesh does not have triangles to compute normals from");
}

Issue tangents_issue(const std::string& pointer, const Method& method, bool has_mesh_tangents) {
  return make_issue("TANGENTS_UNAVAILABLE", "", pointer,
                    has_mesh_tangents
                        ? "'" + std::string(method.info().id) +
                              "' does not support tangents; caches do not store them"
                        : "the mesh does not have tangents; caches do not store them");
}

}  // namespace

Issues vector_issues(const CacheFormat& format, const CacheHeader& header, const Method& method,
                     NormalKind wanted) {
  Issues issues;
  if (format.keeps_normals == nullptr || !format.keeps_normals(header.options)) return issues;
  const std::string pointer = "/nodes/" + std::to_string(header.rig->node);
  if (header.normals != wanted) {
    issues.push_back(normals_issue(pointer, method, header.normals.has_value(), wanted));
  }
  const bool keeps_tangents =
      format.keeps_tangents != nullptr && format.keeps_tangents(header.options);
  if (keeps_tangents && !header.tangents) {
    const bool has_some = header.normals && !header.rig->mesh->tangents.empty();
    issues.push_back(tangents_issue(pointer, method, has_some));
  }
  return issues;
}

}  // namespace skinbake
