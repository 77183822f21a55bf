#include "gltf/document/memory.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "gltf/document/model.h"
#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

// A file that declares a terabyte has damaged or invented counts.
constexpr std::uint64_t kImplausible = std::uint64_t{1} << 40;

constexpr std::uint64_t kMemoryOfVector = 3 * sizeof(float);  // positions, normals, deltas
constexpr std::uint64_t kTangentBytes = 4 * sizeof(float);
constexpr std::uint64_t kIndexBytes = 2 * sizeof(VertexIndex);  // as read, and in a triangle
constexpr std::uint64_t kStripBytes = 4 * sizeof(VertexIndex);  // each corner adds a triangle
constexpr std::uint64_t kSetInfluences = 4;                     // for each vertex and set
constexpr std::uint64_t kReadInfluence = 4 + sizeof(double);    // joint and weight, as read
constexpr std::uint64_t kVertexBytes = 4;                       // first influence
constexpr std::uint64_t kKeyBytes = 2 * sizeof(double);         // decoded, and in the clip
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

class Forecaster {
 public:
  explicit Forecaster(const json& document) : document_(document) {}

  Forecast run(bool geometry) {
    add_structures();
    add_compressed_views();
    if (geometry) add_meshes();
    add_clips();
    return std::move(forecast_);
  }

 private:
  void add(std::uint64_t count, std::uint64_t size, const Element& element) {
    const std::uint64_t bytes = saturated_product(count, size);
    forecast_.bytes = saturated_sum(forecast_.bytes, bytes);
    if (bytes <= largest_) return;
    largest_ = bytes;
    forecast_.largest = element;
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
    const bool compressed = extension_of(primitive, "KHR_draco_mesh_compression") != nullptr;
    add(vertices, saturated_product(per_vertex, compressed ? 2 : 1), where);
    add(vertices, saturated_product(per_user, users), where);
    const std::uint64_t per_corner = mode_of(primitive) > 4 ? kStripBytes : kIndexBytes;
    const auto indices = primitive.find("indices");
    add(indices == primitive.end() ? vertices : count(accessor(*indices)),
        compressed ? 2 * per_corner : per_corner, where);
    if (indices != primitive.end()) add_sparse(accessor(*indices), where);
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
    const bool compressed = extension_of(primitive, "KHR_draco_mesh_compression") != nullptr;
    add(vertex_count(primitive), compressed ? 2 * kTangentBytes : kTangentBytes, where);
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
  std::uint64_t largest_ = 0;
};

}  // namespace

std::string over_the_limit(std::uint64_t needed, std::uint64_t limit) {
  return "needs at least " + more_than_limit(needed, limit) + "; " +
         (needed > kImplausible ? "the declared counts are damaged: export the file again"
                                : raised_limit(needed) + ", or split the file");
}

void reserve(MemoryBudget& budget, std::uint64_t count, std::uint64_t size, const std::string& path,
             const Element& element) {
  if (budget.take(count, size)) return;
  const std::uint64_t needed = saturated_sum(budget.taken(), saturated_product(count, size));
  fail_at("MEMORY_LIMIT", path, element, over_the_limit(needed, budget.limit()));
}

Forecast forecast(const json& document, bool geometry) {
  return Forecaster(document).run(geometry);
}

}  // namespace skinbake::gltf
