// Tangents: unit vectors along the texture, and the side of the bitangent.
//
// Khronos Group. glTF 2.0 specification, 3.7.2.1: w is 1 or -1, and the bitangent w (n x t).

#include <algorithm>

#include "gltf/accessor.h"
#include "gltf/parts.h"

namespace skinbake::gltf {

namespace {

const Format kTangentsFormat{TINYGLTF_TYPE_VEC4,
                             {TINYGLTF_COMPONENT_TYPE_FLOAT},
                             "VEC4 of float",
                             {TINYGLTF_COMPONENT_TYPE_BYTE, TINYGLTF_COMPONENT_TYPE_SHORT}};
constexpr std::size_t kWidth = 4;

// A tangent of NaN is what a degenerate triangle leaves behind. Vertices whose were mended.
std::int64_t mend(float* tangents, std::size_t count) {
  std::int64_t bad = 0;
  for (float* t = tangents; t != tangents + kWidth * count; t += kWidth) {
    const bool is_finite = all_finite(t, 3), has_sign = t[3] == 1 || t[3] == -1;
    if (!is_finite) std::fill_n(t, 3, 0.0f);
    if (!has_sign) t[3] = t[3] < 0 ? -1.0f : 1.0f;
    bad += is_finite && has_sign ? 0 : 1;
  }
  return bad;
}

}  // namespace

void load_tangents(Document& document, int index, Mesh& mesh) {
  const auto& primitives = document.model.meshes[static_cast<std::size_t>(index)].primitives;
  for (std::size_t p = 0; p < primitives.size(); ++p) {
    const Primitive& vertices = mesh.primitives[p];
    const auto attribute = primitives[p].attributes.find("TANGENT");
    if (attribute == primitives[p].attributes.end() || vertices.vertex_count == 0) continue;
    const Element where = attribute_element(document, index, p, "TANGENT");
    if (mesh.tangents.empty()) {
      const std::size_t size = kWidth * mesh.vertex_count();
      document.reserve(size, sizeof(float), where);
      reserve_huge(mesh.tangents, size);
      mesh.tangents.resize(size);
    }
    float* out = mesh.tangents.data() + kWidth * vertices.first_vertex;
    check_format(document, attribute->second, kTangentsFormat, where);
    check_vertex_count(document, attribute->second, vertices.vertex_count, where);
    decode(document, attribute->second, where, out, Integers::kAsDeclared);
    const std::int64_t bad = mend(out, vertices.vertex_count);
    if (bad == 0) continue;
    document.note(
        IssueCode::TANGENTS_INVALID, where.pointer,
        std::to_string(bad) + " vertices: the tangent is not finite, or its w is neither 1 nor -1",
        bad);
  }
}

}  // namespace skinbake::gltf
