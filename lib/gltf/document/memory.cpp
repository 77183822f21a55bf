#include "gltf/document/memory.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "gltf/document/linked_file.h"
#include "gltf/document/model.h"
#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

// A file that declares a terabyte has damaged or invented counts.
constexpr std::uint64_t kImplausible = std::uint64_t{1} << 40;

// A limit that is named before all needs are known has a quarter more.
constexpr std::uint64_t kUnknownPart = 4;

constexpr std::uint64_t kMemoryOfVector = 3 * sizeof(float);  // positions, normals, deltas
constexpr std::uint64_t kTangentBytes = 4 * sizeof(float);
// As read, in a triangle, and as materials keep it. Each corner of a strip adds a triangle.
constexpr std::uint64_t kIndexBytes = 3 * sizeof(VertexIndex);
constexpr std::uint64_t kStripBytes = 5 * sizeof(VertexIndex);
constexpr std::uint64_t kSetInfluences = 4;                   // for each vertex and set
constexpr std::uint64_t kReadInfluence = 4 + sizeof(double);  // joint and weight, as read
constexpr std::uint64_t kVertexBytes = 4;                     // first influence
constexpr std::uint64_t kKeyBytes = 2 * sizeof(double);       // decoded, and in the clip
constexpr std::uint64_t kMatrixBytes = 16 * sizeof(double);
// Memory of a vertex while the surface of its mesh is welded: the bind pose, four lists of indices,
// and a hash table of at most four entries.
constexpr std::uint64_t kWeldBytes = 3 * sizeof(double) + 4 * sizeof(VertexIndex) + 4 * 8;

// The array `name` of an object, or an empty array.
const json& array_of(const json& object, const char* name) {
  static const json nothing = json::array();
  if (!object.is_object()) return nothing;
  const auto found = object.find(name);
  return found != object.end() && found->is_array() ? *found : nothing;
}

const json* extension_of(const json& element, const char* name) {
  const auto extensions = element.find("extensions");
  if (extensions == element.end()) return nullptr;
  const auto found = extensions->find(name);
  return found != extensions->end() ? &*found : nullptr;
}

std::uint64_t component_bytes(const json& accessor) {
  switch (accessor.at("componentType").get<int>()) {
    case 5120:
    case 5121:
      return 1;
    case 5122:
    case 5123:
      return 2;
    default:
      return 4;
  }
}

class Forecaster {
 public:
  explicit Forecaster(const json& document) : document_(document) {}

  Forecast run(bool geometry) {
    add_structures();
    add_buffers();
    add_compressed_views();
    if (geometry) add_meshes();
    add_clips();
    return std::move(forecast_);
  }

 private:
  void add(std::uint64_t count, std::uint64_t size, const Element& element) {
    forecast_.add(count, size, element);
  }

  static Element element(const char* kind, const char* array, std::size_t i, const json& object) {
    const auto name = object.find("name");
    return {describe(kind, i, name != object.end() ? name->get<std::string>() : ""),
            "/" + std::string(array) + "/" + std::to_string(i)};
  }

  // A parsed element is much larger than the shortest text that declares one: "{},".
  void add_structures() {
    const ModelSizes parsed = model_sizes();
    add_array("accessors", parsed.accessor);
    add_array("bufferViews", parsed.buffer_view);
    add_array("nodes", parsed.node + 2 * (sizeof(Node) + sizeof(Rig) + sizeof(NodeIndex)));
    add_array("meshes", parsed.mesh + 2 * sizeof(Mesh));
    add_array("skins", parsed.skin);
    add_array("scenes", parsed.scene);
    add_parts("meshes", "primitives", parsed.primitive + 2 * sizeof(Primitive));
    add_parts("animations", "channels", parsed.channel + 2 * sizeof(Channel));
    add_parts("animations", "samplers", parsed.sampler);
  }

  void add_array(const char* name, std::uint64_t size) {
    add(array_of(document_, name).size(), size, {std::string("'") + name + "'", pointer(name)});
  }

  void add_parts(const char* name, const char* part, std::uint64_t size) {
    for (const json& object : array_of(document_, name)) {
      add(array_of(object, part).size(), size, {std::string("'") + part + "'", pointer(name)});
    }
  }

  static std::string pointer(const char* name) { return std::string("/") + name; }

  // A buffer that serves readers without a decoder is read only if an uncompressed view uses it.
  void add_buffers() {
    const json& buffers = array_of(document_, "buffers");
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      const auto uri = buffers[i].find("uri");
      if (uri == buffers[i].end() || is_fallback(buffers[i])) continue;
      const auto& text = uri->get_ref<const std::string&>();
      const auto length = buffers[i].at("byteLength").get<std::uint64_t>();
      add(is_data_uri(text) ? text.size() : length, 1, element("buffer", "buffers", i, buffers[i]));
    }
  }

  void add_compressed_views() {
    const json& views = array_of(document_, "bufferViews");
    for (std::size_t i = 0; i < views.size(); ++i) {
      for (const char* name : {"EXT_meshopt_compression", "KHR_meshopt_compression"}) {
        const json* stream = extension_of(views[i], name);
        if (stream == nullptr) continue;
        add(stream->at("count").get<std::uint64_t>(), stream->at("byteStride").get<std::uint64_t>(),
            {"bufferView " + std::to_string(i), "/bufferViews/" + std::to_string(i)});
      }
    }
  }

  const json& accessor(const json& index) const {
    return document_.at("accessors")[index.get<std::size_t>()];
  }

  static std::uint64_t count(const json& accessor) {
    return accessor.at("count").get<std::uint64_t>();
  }

  // The memory that the sparse part of an accessor needs while it is applied.
  void add_sparse(const json& accessor, const Element& where) {
    const auto sparse = accessor.find("sparse");
    if (sparse == accessor.end()) return;
    add(sparse->at("count").get<std::uint64_t>(), 4 + components(accessor) * sizeof(double), where);
  }

  static std::uint64_t components(const json& accessor) {
    static const std::map<std::string, std::uint64_t, std::less<>> kComponents{
        {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT2", 4}, {"MAT3", 9}};
    const auto found = kComponents.find(accessor.at("type").get_ref<const std::string&>());
    return found == kComponents.end() ? 16 : found->second;
  }

  void add_meshes() {
    const json& meshes = array_of(document_, "meshes");
    std::vector<std::uint64_t> users(meshes.size());
    const json& nodes = array_of(document_, "nodes");
    for (const json& node : nodes) {
      const auto mesh = node.find("mesh");
      if (mesh == node.end()) continue;
      ++users[mesh->get<std::size_t>()];
      if (const auto skin = node.find("skin"); skin != node.end()) {
        const auto index = skin->get<std::size_t>();
        const json& joints = array_of(document_.at("skins")[index], "joints");
        add(joints.size(), sizeof(Joint) + kMatrixBytes,
            element("skin", "skins", index, document_.at("skins")[index]));
      }
    }
    add_skin_matrices();
    for (std::size_t m = 0; m < meshes.size(); ++m) {
      if (users[m] == 0) continue;
      const json& primitives = array_of(meshes[m], "primitives");
      const bool has_tangents = std::any_of(
          primitives.begin(), primitives.end(),
          [](const json& primitive) { return primitive.at("attributes").contains("TANGENT"); });
      for (std::size_t p = 0; p < primitives.size(); ++p) {
        add_primitive(primitives[p], users[m], primitive_element(m, p, meshes[m]));
        if (has_tangents) add_tangents(primitives[p], primitive_element(m, p, meshes[m]));
      }
      add_morph_weights(primitives, users[m], element("mesh", "meshes", m, meshes[m]));
    }
    add_largest_surface(meshes, users);
  }

  static Element primitive_element(std::size_t m, std::size_t p, const json& mesh) {
    Element where = element("mesh", "meshes", m, mesh);
    where.name += " primitive " + std::to_string(p);
    where.pointer += "/primitives/" + std::to_string(p);
    return where;
  }

  std::uint64_t vertex_count(const json& primitive) const {
    const json& attributes = primitive.at("attributes");
    const auto position = attributes.find("POSITION");
    return position == attributes.end() ? 0 : count(accessor(*position));
  }

  static std::uint64_t mode_of(const json& primitive) {
    return primitive.value("mode", std::uint64_t{4});
  }

  // Surfaces are welded one after another, so the largest one counts.
  void add_largest_surface(const json& meshes, const std::vector<std::uint64_t>& users) {
    std::uint64_t most = 0;
    Element where;
    for (std::size_t m = 0; m < meshes.size(); ++m) {
      const json& primitives = array_of(meshes[m], "primitives");
      std::uint64_t vertices = 0;
      bool has_triangles = false;
      for (const json& primitive : primitives) {
        vertices = saturated_sum(vertices, vertex_count(primitive));
        has_triangles = has_triangles || mode_of(primitive) >= 4;
      }
      if (users[m] == 0 || !has_triangles || vertices <= most) continue;
      most = vertices;
      where = primitive_element(m, 0, meshes[m]);
    }
    add(most, kWeldBytes, where);
  }

  void add_skin_matrices() {
    const json& skins = array_of(document_, "skins");
    for (std::size_t i = 0; i < skins.size(); ++i) {
      const auto matrices = skins[i].find("inverseBindMatrices");
      if (matrices == skins[i].end()) continue;
      const Element where = element("skin", "skins", i, skins[i]);
      add(count(accessor(*matrices)), kMatrixBytes, where);
      add_sparse(accessor(*matrices), where);
    }
  }

  void add_primitive(const json& primitive, std::uint64_t users, const Element& where) {
    const json& attributes = primitive.at("attributes");
    const auto position = attributes.find("POSITION");
    if (position == attributes.end()) return;
    const std::uint64_t vertices = count(accessor(*position));
    std::uint64_t per_vertex = kMemoryOfVector, per_user = kVertexBytes + sizeof(Influence);
    for (const auto& [name, index] : attributes.items()) {
      if (name == "NORMAL") per_vertex += kMemoryOfVector;
      if (name.starts_with("TEXCOORD_") || name.starts_with("COLOR_")) {
        per_vertex += components(accessor(index)) * sizeof(float);
      }
      if (name.starts_with("JOINTS_")) {
        per_vertex += kSetInfluences * kReadInfluence;
        per_user += kSetInfluences * sizeof(Influence);
      }
      add_sparse(accessor(index), where);
    }
    for (const json& target : array_of(primitive, "targets")) {
      per_vertex += 2 * kMemoryOfVector;  // counted even if absent: another primitive may have it
      for (const json& index : target) add_sparse(accessor(index), where);
    }
    add(vertices, per_vertex, where);
    add(vertices, saturated_product(per_user, users), where);
    const auto indices = primitive.find("indices");
    const std::uint64_t corners = indices == primitive.end() ? vertices : count(accessor(*indices));
    add(corners, mode_of(primitive) > 4 ? kStripBytes : kIndexBytes, where);
    if (indices != primitive.end()) add_sparse(accessor(*indices), where);
    const json* draco = extension_of(primitive, "KHR_draco_mesh_compression");
    if (draco != nullptr) add_draco(primitive, *draco, corners, where);
  }

  // The memory of the decoder, and of the indices and attributes that it decodes. Each attribute
  // but the positions may have seams. The decoder also decodes attributes that are not read; their
  // types are not known, and at most four floats. A strip becomes a list of triangles.
  void add_draco(const json& primitive, const json& draco, std::uint64_t corners,
                 const Element& where) {
    const json& attributes = primitive.at("attributes");
    constexpr std::uint64_t kInteger = sizeof(std::int32_t);  // from which a value is computed
    constexpr std::uint64_t kIndex = sizeof(std::uint32_t);   // of a point's value
    std::uint64_t per_vertex = 0, decoded = 0;
    for (const auto& [name, id] : draco.at("attributes").items()) {
      const auto used = attributes.find(name);
      per_vertex +=
          used == attributes.end()
              ? 4 * (sizeof(float) + kInteger) + kIndex
              : components(accessor(*used)) * (2 * component_bytes(accessor(*used)) + kInteger) +
                    kIndex;
      ++decoded;
    }
    const std::uint64_t faces = mode_of(primitive) > 4 ? corners : corners / 3;
    const std::uint64_t seams = decoded > 0 ? decoded - 1 : 0;
    add(vertex_count(primitive), per_vertex, where);
    add(faces, kDracoBytesPerFace + seams * kDracoSeamBytesPerFace + 3 * sizeof(std::uint32_t),
        where);
  }

  // Each node of a mesh has its own weights. An empty target takes no memory of a vertex.
  void add_morph_weights(const json& primitives, std::uint64_t users, const Element& where) {
    std::uint64_t targets = 0;
    for (const json& primitive : primitives) {
      targets = std::max<std::uint64_t>(targets, array_of(primitive, "targets").size());
    }
    add(targets, saturated_sum(sizeof(MorphTarget), saturated_product(users, sizeof(double))),
        where);
  }

  // If one primitive of a mesh has tangents, the arrays cover all of them.
  void add_tangents(const json& primitive, const Element& where) {
    add(vertex_count(primitive), kTangentBytes, where);
    add(saturated_product(vertex_count(primitive), array_of(primitive, "targets").size()),
        kMemoryOfVector, where);
  }

  // An accessor that several samplers use is stored once.
  void add_clips() {
    std::set<std::uint64_t> seen;
    const json& animations = array_of(document_, "animations");
    for (std::size_t a = 0; a < animations.size(); ++a) {
      const Element where = element("animation", "animations", a, animations[a]);
      for (const json& sampler : array_of(animations[a], "samplers")) {
        for (const char* side : {"input", "output"}) {
          const json& index = sampler.at(side);
          if (!seen.insert(index.get<std::uint64_t>()).second) continue;
          const json& values = accessor(index);
          add(count(values), components(values) * kKeyBytes, where);
          add_sparse(values, where);
        }
      }
    }
  }

  const json& document_;
  Forecast forecast_{0, {"the file", ""}};
};

}  // namespace

bool is_fallback(const json& buffer) {
  const auto extensions = buffer.find("extensions");
  if (extensions == buffer.end()) return false;
  return std::any_of(extensions->begin(), extensions->end(),
                     [](const json& extension) { return extension.value("fallback", false); });
}

std::string over_the_limit(std::uint64_t needed, std::uint64_t limit, std::uint64_t more) {
  return "needs at least " + more_than_limit(needed, limit) + "; " +
         (needed > kImplausible
              ? "the declared counts are damaged: export the file again"
              : raised_limit(saturated_sum(needed, more)) + ", or split the file");
}

void reserve(MemoryBudget& budget, std::uint64_t count, std::uint64_t size, const std::string& path,
             const Element& element) {
  if (budget.take(count, size)) return;
  const std::uint64_t needed = saturated_sum(budget.taken(), saturated_product(count, size));
  fail_at("MEMORY_LIMIT", path, element,
          over_the_limit(needed, budget.limit(), needed / kUnknownPart));
}

void Forecast::add(std::uint64_t count, std::uint64_t size, const Element& element) {
  const std::uint64_t added = saturated_product(count, size);
  bytes = saturated_sum(bytes, added);
  if (added <= largest_bytes) return;
  largest_bytes = added;
  largest = element;
}

std::string over_the_limit(const Forecast& forecast, std::uint64_t taken, std::uint64_t limit) {
  const std::uint64_t needed = saturated_sum(taken, forecast.bytes);
  return over_the_limit(needed, limit, forecast.is_whole ? 0 : needed / kUnknownPart);
}

Forecast forecast(const json& document, bool geometry) {
  return Forecaster(document).run(geometry);
}

}  // namespace skinbake::gltf
