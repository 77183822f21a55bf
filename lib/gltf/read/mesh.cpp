// Loads the geometry of meshes: positions, normals, tangents, triangles and morph targets. The
// vertices of a mesh's primitives follow each other.

#include <algorithm>
#include <limits>

#include "gltf/document/message_text.h"
#include "gltf/read/accessor.h"
#include "gltf/read/loaders.h"
#include "rig/primitive_normals.h"

namespace skinbake::gltf {

namespace {

// --- Tangents: unit vectors along the texture, and the sign of the bitangent ---
//
// Khronos Group. glTF 2.0 specification, 3.7.2.1: w is 1 or -1, and the bitangent is w (n x t).

const Format kTangentsFormat{AccessorType::kVec4,
                             {ComponentType::kFloat},
                             "VEC4 of float",
                             {ComponentType::kByte, ComponentType::kShort}};
constexpr std::size_t kWidth = 4;

// Replaces invalid tangents; exporters write NaN for degenerate triangles. Returns the number of
// replaced tangents.
std::int64_t repair(float* tangents, std::size_t count) {
  std::int64_t bad = 0;
  for (float* t = tangents; t != tangents + kWidth * count; t += kWidth) {
    const bool is_finite = all_finite(t, 3), has_sign = t[3] == 1 || t[3] == -1;
    if (!is_finite) std::fill_n(t, 3, 0.0f);
    if (!has_sign) t[3] = t[3] < 0 ? -1.0f : 1.0f;
    bad += is_finite && has_sign ? 0 : 1;
  }
  return bad;
}

// Stays empty if no primitive has normals and tangents. Positions and normals are loaded. Khronos
// Group. glTF 2.0 specification, 3.7.2.1: tangents of a primitive without normals do not count.
void load_tangents(Document& document, int index, Mesh& mesh) {
  const auto& primitives = document.model.meshes[static_cast<std::size_t>(index)].primitives;
  for (std::size_t p = 0; p < primitives.size(); ++p) {
    const Primitive& vertices = mesh.primitives[p];
    const auto attribute = primitives[p].attributes.find("TANGENT");
    if (attribute == primitives[p].attributes.end()) continue;
    if (!has_normals(mesh.normals, vertices)) continue;
    const Element where = attribute_element(document, index, p, "TANGENT");
    if (mesh.tangents.empty()) {
      const std::size_t size = kWidth * mesh.vertex_count();
      reserve_huge(mesh.tangents, size);
      mesh.tangents.resize(size);
    }
    float* out = mesh.tangents.data() + kWidth * vertices.first_vertex;
    check_format(document, attribute->second, kTangentsFormat, where);
    check_vertex_count(document, attribute->second, vertices.vertex_count, where);
    decode(document, attribute->second, where, out, Integers::kAsDeclared);
    const std::int64_t bad = repair(out, vertices.vertex_count);
    if (bad == 0) continue;
    document.note(
        "TANGENTS_INVALID", where.pointer,
        std::to_string(bad) + " vertices: the tangent is not finite, or its w is neither 1 nor -1",
        bad);
  }
}

// --- Meshes ---

class MeshLoader {
 public:
  MeshLoader(Document& document, int index)
      : document_(document),
        index_(index),
        source_(document.model.meshes[static_cast<std::size_t>(index)]) {}

  std::shared_ptr<const Mesh> load() {
    mesh_->name = source_.name;
    lay_out_primitives();
    load_positions();
    load_normals();
    if (document_.reads_tangents && !mesh_->normals.empty()) {
      load_tangents(document_, index_, *mesh_);
    }
    for (std::size_t p = 0; p < source_.primitives.size(); ++p) load_triangles(p);
    load_morph_targets();
    return mesh_;
  }

 private:
  Element element(std::size_t p, const std::string& attribute) const {
    return attribute_element(document_, index_, p, attribute);
  }
  Element mesh_element() const {
    return {describe("mesh", static_cast<std::size_t>(index_), source_.name),
            "/meshes/" + std::to_string(index_)};
  }

  void lay_out_primitives() {
    std::uint64_t total = 0;
    for (std::size_t p = 0; p < source_.primitives.size(); ++p) {
      const auto& attributes = source_.primitives[p].attributes;
      const auto position = attributes.find("POSITION");
      if (position == attributes.end()) {
        const Element where = element(p, "");
        document_.note("PRIMITIVE_EMPTY", where.pointer,
                       where.name + " does not have POSITION; left out");
        mesh_->primitives.push_back({static_cast<VertexIndex>(total), 0});
        continue;
      }
      check_format(document_, position->second, kVectorsFormat, element(p, "POSITION"));
      const std::uint64_t count = accessor_at(document_, position->second).count;
      constexpr std::uint64_t kMaxVertices = std::numeric_limits<std::int32_t>::max() / 4;
      if (count > kMaxVertices || total + count > kMaxVertices) {
        document_.fail("MESH_TOO_LARGE", element(p, "POSITION"), "has too many vertices; split it");
      }
      mesh_->primitives.push_back(
          {static_cast<VertexIndex>(total), static_cast<VertexIndex>(count)});
      total += count;
    }
    vertex_count_ = total;
  }

  void load_positions() {
    reserve_huge(mesh_->positions, 3 * vertex_count_);
    mesh_->positions.resize(3 * vertex_count_);
    for (std::size_t p = 0; p < source_.primitives.size(); ++p) {
      if (mesh_->primitives[p].vertex_count == 0) continue;
      const Element where = element(p, "POSITION");
      float* out = first_of(mesh_->positions, p);
      decode(document_, source_.primitives[p].attributes.at("POSITION"), where, out,
             Integers::kAsDeclared);
      if (!all_finite(out, std::size_t{3} * mesh_->primitives[p].vertex_count)) {
        document_.fail("VALUE_NOT_FINITE", where, "has a NaN or an infinity");
      }
    }
  }

  bool has(std::size_t p, const std::string& attribute) const {
    return mesh_->primitives[p].vertex_count > 0 &&
           source_.primitives[p].attributes.contains(attribute);
  }

  // Stays empty if no primitive has normals; primitives without normals get zeros.
  void load_normals() {
    for (std::size_t p = 0; p < source_.primitives.size(); ++p) {
      if (!has(p, "NORMAL")) continue;
      if (mesh_->normals.empty()) {
        reserve_huge(mesh_->normals, 3 * vertex_count_);
        mesh_->normals.resize(3 * vertex_count_);
      }
      const Element where = element(p, "NORMAL");
      float* out = first_of(mesh_->normals, p);
      read_vectors(source_.primitives[p].attributes.at("NORMAL"), p, where, out);
      zero_bad_normals(p, where, out);
    }
    note_missing_normals();
  }

  // Notes each primitive without normals, and of a mesh without any normals only the first.
  void note_missing_normals() {
    for (std::size_t p = 0; p < source_.primitives.size(); ++p) {
      if (mesh_->primitives[p].vertex_count == 0 || has(p, "NORMAL")) continue;
      const Element where = element(p, "");
      const std::string what = mesh_->normals.empty() ? "the mesh" : "the primitive";
      document_.note("NORMALS_MISSING", where.pointer,
                     where.name + " does not have NORMAL; " + what + " is read without normals");
      if (mesh_->normals.empty()) return;
    }
  }

  // Exporters write a normal of NaN where they normalise a zero vector.
  void zero_bad_normals(std::size_t p, const Element& where, float* normals) {
    const std::size_t count = mesh_->primitives[p].vertex_count;
    if (all_finite(normals, 3 * count)) return;
    std::int64_t bad = 0;
    for (std::size_t v = 0; v < count; ++v) {
      if (all_finite(normals + 3 * v, 3)) continue;
      std::fill_n(normals + 3 * v, 3, 0.0f);
      ++bad;
    }
    document_.note("NORMALS_NOT_FINITE", where.pointer,
                   std::to_string(bad) + " vertices: the normal is not finite; set to zero", bad);
  }

  // Reads three floats for each vertex of the primitive.
  void read_vectors(int accessor, std::size_t p, const Element& where, float* out) {
    check_format(document_, accessor, kVectorsFormat, where);
    check_vertex_count(document_, accessor, mesh_->primitives[p].vertex_count, where);
    decode(document_, accessor, where, out, Integers::kAsDeclared);
  }

  void load_triangles(std::size_t p) {
    const Model::Primitive& primitive = source_.primitives[p];
    const std::size_t vertices = mesh_->primitives[p].vertex_count;
    if (primitive.mode < kPointsMode || primitive.mode > kTriangleFanMode) {
      document_.fail("SCHEMA_VIOLATION", element(p, ""),
                     "has the unknown mode " + std::to_string(primitive.mode));
    }
    if (vertices == 0) return;
    const VertexIndex base = mesh_->primitives[p].first_vertex;
    if (primitive.indices < 0) {
      append_triangles(p, vertices,
                       [&](std::size_t i) { return base + static_cast<VertexIndex>(i); });
      return;
    }
    const AlignedArray<std::uint32_t> indices = load_indices(p, vertices);
    append_triangles(p, indices.size(), [&](std::size_t i) { return base + indices[i]; });
  }

  AlignedArray<std::uint32_t> load_indices(std::size_t p, std::size_t vertices) {
    const Element where{element(p, "").name + ", indices", element(p, "").pointer + "/indices"};
    const int accessor = source_.primitives[p].indices;
    check_format(document_, accessor, kIndicesFormat, where);
    AlignedArray<std::uint32_t> indices = decode_all<std::uint32_t>(document_, accessor, where);
    std::uint32_t greatest = 0;
    for (std::size_t i = 0; i < indices.size(); ++i) greatest = std::max(greatest, indices[i]);
    if (greatest >= vertices) {
      document_.fail("INDEX_OUT_OF_RANGE", where,
                     "name vertex " + std::to_string(greatest) + ", but there are " +
                         std::to_string(vertices));
    }
    return indices;
  }

  template <class At>
  void append_triangles(std::size_t p, std::size_t corners, const At& at) {
    const int mode = source_.primitives[p].mode;
    if (mode < kTrianglesMode) return;  // points and lines
    const bool list = mode == kTrianglesMode;
    if (list ? corners % 3 != 0 : corners < 3) {
      const Element where = element(p, "");
      document_.note("TRIANGLES_INCOMPLETE", where.pointer,
                     where.name + " has " + std::to_string(corners) +
                         " corners; the incomplete triangle is left out");
    }
    const std::size_t count = list ? corners / 3 : corners < 3 ? 0 : corners - 2;
    const std::size_t first = mesh_->triangles.size();
    if (first == 0) reserve_huge(mesh_->triangles, count);
    mesh_->triangles.resize(first + count);
    auto* triangles = mesh_->triangles.data() + first;
    for (std::size_t t = 0; t < count; ++t) {
      if (list) {
        triangles[t] = {at(3 * t), at(3 * t + 1), at(3 * t + 2)};
      } else if (mode == kTriangleStripMode) {  // every second triangle is reversed
        triangles[t] = {at(t), at(t + 1 + t % 2), at(t + 2 - t % 2)};
      } else {
        triangles[t] = {at(t + 1), at(t + 2), at(0)};
      }
    }
  }

  void load_morph_targets() {
    const std::size_t count = source_.primitives.empty() ? 0 : source_.primitives[0].targets.size();
    for (std::size_t p = 0; p < source_.primitives.size(); ++p) {
      if (source_.primitives[p].targets.size() == count) continue;
      document_.fail("MORPH_TARGETS_DIFFER", element(p, ""),
                     "does not have as many morph targets as primitive 0");
    }
    mesh_->morph_targets.resize(count);
    for (std::size_t t = 0; t < count; ++t) {
      load_target(t, "POSITION", mesh_->morph_targets[t].positions);
      if (!mesh_->normals.empty()) load_target(t, "NORMAL", mesh_->morph_targets[t].normals);
      if (!mesh_->tangents.empty()) load_target(t, "TANGENT", mesh_->morph_targets[t].tangents);
    }
  }

  // `out` stays empty if no primitive has the attribute; primitives without it get zeros. A target
  // of a primitive displaces only the attributes that the primitive has.
  void load_target(std::size_t t, const std::string& attribute, std::vector<float>& out) {
    for (std::size_t p = 0; p < source_.primitives.size(); ++p) {
      const auto& target = source_.primitives[p].targets[t];
      const auto accessor = target.find(attribute);
      if (accessor == target.end() || !has(p, attribute)) continue;
      Element where = element(p, "");
      where.name += " target " + std::to_string(t) + ", " + attribute;
      where.pointer += "/targets/" + std::to_string(t) + "/" + attribute;
      if (out.empty()) {
        reserve_huge(out, 3 * vertex_count_);
        out.resize(3 * vertex_count_);
      }
      float* deltas = first_of(out, p);
      read_vectors(accessor->second, p, where, deltas);
      if (!all_finite(deltas, std::size_t{3} * mesh_->primitives[p].vertex_count)) {
        document_.fail("VALUE_NOT_FINITE", where, "has a NaN or an infinity");
      }
    }
  }

  float* first_of(std::vector<float>& values, std::size_t p) {
    return values.data() + std::size_t{3} * mesh_->primitives[p].first_vertex;
  }

  Document& document_;
  int index_;
  const Model::Mesh& source_;
  std::shared_ptr<Mesh> mesh_ = std::make_shared<Mesh>();
  std::size_t vertex_count_ = 0;
};

}  // namespace

Element attribute_element(const Document& document, int mesh, std::size_t primitive,
                          const std::string& attribute) {
  const auto index = static_cast<std::size_t>(mesh);
  Element element{describe("mesh", index, document.model.meshes[index].name) + " primitive " +
                      std::to_string(primitive),
                  "/meshes/" + std::to_string(mesh) + "/primitives/" + std::to_string(primitive)};
  if (attribute.empty()) return element;
  element.name += ", " + attribute;
  element.pointer += "/attributes/" + attribute;
  return element;
}

void check_vertex_count(const Document& document, int accessor, std::size_t vertices,
                        const Element& element) {
  const std::size_t count = accessor_at(document, accessor).count;
  if (count == vertices) return;
  document.fail(
      "ACCESSOR_COUNT", element,
      "has " + std::to_string(count) + " elements for " + std::to_string(vertices) + " vertices");
}

std::shared_ptr<const Mesh> load_mesh(Document& document, int index) {
  decompress_primitives(document, index);
  return MeshLoader(document, index).load();
}

}  // namespace skinbake::gltf
