#include "gltf/write/baked_document.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "gltf/document/json_member.h"
#include "gltf/document/references.h"
#include "gltf/write/unused_elements.h"
#include "math/scalar.h"
#include "rig/rest_pose.h"

namespace skinbake {

namespace {

using nlohmann::json;

constexpr int kFloat = 5126, kUint16 = 5123, kUint32 = 5125;
constexpr int kVertexTarget = 34962, kIndexTarget = 34963;
constexpr int kTriangles = 4;

std::size_t append(json& document, const char* list, json element) {
  json& elements = document[list];
  if (elements.is_null()) elements = json::array();
  elements.push_back(std::move(element));
  return elements.size() - 1;
}

template <class T, class From>
gltf::Bytes bytes_of(std::span<const From> values) {
  gltf::Bytes bytes(values.size() * sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<T>(values[i]);
    std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
  }
  return bytes;
}

}  // namespace

std::size_t BakedDocument::add_view(gltf::Bytes bytes, int target) {
  storage.push_back(std::make_shared<gltf::Bytes>(std::move(bytes)));
  buffers.push_back({storage.back()->data(), storage.back()->size()});
  json::object_t view{{"buffer", buffers.size() - 1}, {"byteLength", buffers.back().size()}};
  if (target != 0) view["target"] = target;
  return append(json, "bufferViews", std::move(view));
}

std::size_t BakedDocument::add_floats(std::span<const float> values, std::size_t width) {
  const std::size_t view = add_view(bytes_of<float>(values), kVertexTarget);
  return append(json, "accessors",
                {{"bufferView", view},
                 {"componentType", kFloat},
                 {"count", values.size() / width},
                 {"type", "VEC" + std::to_string(width)}});
}

std::size_t BakedDocument::add_indices(std::span<const std::uint32_t> indices,
                                       std::size_t vertex_count) {
  // 65535 restarts a strip of uint16 indices, so the largest index must be smaller.
  const bool is_short = vertex_count <= 65535;
  const std::size_t view = add_view(
      is_short ? bytes_of<std::uint16_t>(indices) : bytes_of<std::uint32_t>(indices), kIndexTarget);
  return append(json, "accessors",
                {{"bufferView", view},
                 {"componentType", is_short ? kUint16 : kUint32},
                 {"count", indices.size()},
                 {"type", "SCALAR"}});
}

int BakedDocument::mesh_of(NodeIndex node) const {
  const auto& nodes = gltf::member(json, "nodes");
  const auto index = static_cast<std::size_t>(node);
  if (index >= nodes.size()) return -1;
  const auto& mesh = gltf::member(nodes[index], "mesh");
  return mesh.is_null() ? -1 : mesh.get<int>();
}

const json& BakedDocument::primitives_of(NodeIndex node) const {
  static const nlohmann::json nothing = nlohmann::json::array();
  const int mesh = mesh_of(node);
  return mesh < 0 ? nothing : json["meshes"][static_cast<std::size_t>(mesh)]["primitives"];
}

std::span<const float> BakedDocument::floats_of(std::size_t accessor) const {
  const auto view = json["accessors"][accessor]["bufferView"].get<std::size_t>();
  const gltf::ByteSpan bytes = buffers[json["bufferViews"][view]["buffer"].get<std::size_t>()];
  return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
}

namespace gltf {

namespace {

constexpr const char* kVolume = "KHR_materials_volume";

const json& volume_of(const json& material) {
  return member(member(material, "extensions"), kVolume);
}

// The scale at rest of the first vertex, in all directions alike.
double length_scale(const Rig& rig) {
  if (rig.influences.empty()) return 1;
  const Joint& joint = rig.joints[rig.influences.front().joint];
  const double scale = cbrt(
      std::abs(determinant(scene_at_rest(*rig.skeleton, joint.node) * joint.joint_from_model)));
  return std::isfinite(scale) && scale > 0 ? scale : 1;
}

// The triangles of a primitive, with indices of its vertices.
std::vector<std::uint32_t> triangles_of(const Mesh& mesh, const Primitive& vertices,
                                        bool is_mirrored) {
  std::vector<std::uint32_t> indices;
  for (const std::array<VertexIndex, 3>& triangle : mesh.triangles) {
    if (triangle[0] - vertices.first_vertex >= vertices.vertex_count) continue;
    for (const std::size_t corner : {0, is_mirrored ? 2 : 1, is_mirrored ? 1 : 2}) {
      indices.push_back(triangle[corner] - vertices.first_vertex);
    }
  }
  return indices;
}

// The attenuation distance stays. The schema of KHR_materials_volume gives thicknessFactor "in the
// coordinate space of the mesh", and attenuationDistance "in world space".
void scale_thickness(json& material, double factor) {
  json& volume = material.at("extensions").at(kVolume);
  const json& thickness = member(volume, "thicknessFactor");
  if (factor == 1 || !thickness.is_number()) return;
  const auto scaled = static_cast<float>(thickness.get<double>() * factor);
  if (std::isfinite(scaled)) volume["thicknessFactor"] = decimal(scaled);
}

class BakedMeshes {
 public:
  explicit BakedMeshes(const BakedDocument& all) : all_(all), baked_(all) {
    baked_.json.erase("nodes");
    baked_.json["meshes"] = json::array();
  }

  void add(const BakedMesh& mesh) {
    const Rig& rig = *mesh.rig;
    const std::vector<Primitive>& parts = rig.mesh->primitives;
    const json& sources = all_.primitives_of(rig.node);
    const bool mirrors = mesh.is_in_scene && is_mirrored(rig);
    json primitives = json::array();
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (parts[p].vertex_count == 0) continue;
      const bool has_source = p < sources.size();
      json primitive = has_source ? sources[p] : json{{"attributes", json::object()}};
      if (mirrors || !has_source) list_triangles(*rig.mesh, parts[p], mirrors, primitive);
      if (primitive.contains("material")) scale_material(mesh, primitive["material"]);
      primitives.push_back(std::move(primitive));
    }
    baked_.json["meshes"].push_back({{"primitives", std::move(primitives)}});
    ++mesh_count_;
  }

  BakedDocument take() {
    erase_unused_appearance(baked_.json);
    return std::move(baked_);
  }

 private:
  // A material in the space of a mesh.
  struct Copy {
    std::size_t material = 0;
    double scale = 1;
    std::size_t mesh = 0;  // 0 unless the mesh owns its lengths
    auto operator<=>(const Copy&) const = default;
  };

  void list_triangles(const Mesh& mesh, const Primitive& vertices, bool mirrors, json& primitive) {
    const std::vector<std::uint32_t> indices = triangles_of(mesh, vertices, mirrors);
    if (indices.empty()) return;
    primitive["indices"] = baked_.add_indices(indices, vertices.vertex_count);
    primitive["mode"] = kTriangles;
  }

  // Meshes of several scales may share a material: each scale gets a copy.
  void scale_material(const BakedMesh& mesh, json& number) {
    const auto index = number.get<std::size_t>();
    json material = baked_.json["materials"][index];
    if (!volume_of(material).is_object()) return;
    const double scale = mesh.is_in_scene ? length_scale(*mesh.rig) : 1;
    const Copy key{index, scale, mesh.owns_lengths ? mesh_count_ : 0};
    const auto [copy, is_new] = copies_.try_emplace(key);
    if (is_new) {
      scale_thickness(material, scale);
      copy->second = append(baked_.json, "materials", std::move(material));
    }
    number = copy->second;
  }

  const BakedDocument& all_;
  BakedDocument baked_;
  std::map<Copy, std::size_t> copies_;
  std::size_t mesh_count_ = 0;
};

void list_extensions(const json& value, std::set<std::string>& names) {
  if (!value.is_structured()) return;
  const json& extensions = member(value, "extensions");
  if (extensions.is_object()) {
    for (const auto& [name, extension] : extensions.items()) names.insert(name);
  }
  for (const auto& [key, inner] : value.items()) {
    if (key != "extras") list_extensions(inner, names);
  }
}

}  // namespace

double decimal(float number) {
  char digits[32];
  char* const end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  double value = number;
  std::from_chars(digits, end, value);
  return value;
}

bool is_mirrored(const Rig& rig) {
  return determinant(scene_at_rest(*rig.skeleton, rig.node)) < 0;
}

BakedDocument baked_meshes(const BakedDocument* all, std::span<const BakedMesh> meshes) {
  static const BakedDocument kNothing{json::object(), {}, {}, {}};
  BakedMeshes baked(all != nullptr ? *all : kNothing);
  for (const BakedMesh& mesh : meshes) baked.add(mesh);
  return baked.take();
}

void scale_lengths(json& document, std::size_t mesh, double factor) {
  std::set<std::size_t> materials;
  for (const json& primitive : document["meshes"][mesh]["primitives"]) {
    if (primitive.contains("material")) materials.insert(primitive["material"].get<std::size_t>());
  }
  for (const std::size_t material : materials) {
    json& scaled = document["materials"][material];
    if (volume_of(scaled).is_object()) scale_thickness(scaled, factor);
  }
}

std::vector<std::string> extensions_of_appearance(const json& document) {
  std::set<std::string> names;
  for (const char* list : {"materials", "textures", "images"}) {
    list_extensions(member(document, list), names);
  }
  return {names.begin(), names.end()};
}

}  // namespace gltf

}  // namespace skinbake
