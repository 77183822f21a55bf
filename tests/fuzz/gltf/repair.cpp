#include "gltf/repair.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>

namespace skinbake::fuzz {

namespace {

constexpr std::size_t kMostElements = 64;    // of an accessor: mutants stay small
constexpr std::size_t kMostBytes = 6 << 10;  // of a buffer
constexpr double kLargest = 1e15;            // products of several matrices stay finite

struct Shape {
  const char* type;
  std::initializer_list<int> component_types;  // the first replaces another one
  std::size_t count = 0;                       // 0: any
  std::size_t limit = 0;                       // of integers that are indices; 0: none
};

class Repair {
 public:
  explicit Repair(GltfFile& file) : file_(file), document_(file.document) {}

  void run() {
    object_of(document_, "asset")["version"] = "2.0";
    for (const char* section : {"accessors", "bufferViews", "buffers", "meshes", "nodes"}) {
      only_objects(array_of(document_, section));
    }
    if (file_.buffers.empty()) file_.buffers.emplace_back();
    while (document_["buffers"].size() < file_.buffers.size()) {
      document_["buffers"].push_back(Json::object());
    }
    file_.buffers.resize(document_["buffers"].size());
    for (Json& buffer : document_["buffers"]) buffer.erase("uri");  // of another file
    views();
    accessors();
    nodes();
    meshes();
    skins();
    animations();
    scenes();
    for (const char* section : {"extensionsUsed", "extensionsRequired"}) {
      if (size_of(document_, section) == 0) document_.erase(section);
    }
    for (const char* section : {"meshes", "nodes", "bufferViews", "accessors"}) {
      if (document_[section].empty()) document_.erase(section);
    }
  }

 private:
  static void only_objects(Json& array) {
    for (Json& element : array) {
      if (!element.is_object()) element = Json::object();
    }
  }

  std::size_t count_of(const char* section) const { return size_of(document_, section); }

  // Erases a member that is not an index of an element of the section.
  bool keep_index(Json& object, const char* name, const char* section) {
    Json* const index = find(object, name);
    if (index == nullptr) return false;
    const std::size_t count = count_of(section);
    if (index->is_number_unsigned() && count > 0) {
      *index = index->get<std::uint64_t>() % count;
      return true;
    }
    object.erase(name);
    return false;
  }

  static void keep_numbers(Json& object, const char* name, std::size_t count) {
    const Json* const numbers = find(object, name);
    if (numbers == nullptr) return;
    const bool fits = numbers->is_array() && numbers->size() == count &&
                      std::all_of(numbers->begin(), numbers->end(), [](const Json& number) {
                        return number.is_number() && std::abs(number.get<double>()) < kLargest;
                      });
    if (!fits) object.erase(name);
  }

  void views() {
    for (Json& view : document_["bufferViews"]) {
      if (!keep_index(view, "buffer", "buffers")) view["buffer"] = 0;
      const std::size_t size = file_.buffers[view["buffer"].get<std::size_t>()].size();
      const std::uint64_t offset = std::min<std::uint64_t>(whole_of(view, "byteOffset", 0), size);
      if (view.contains("byteOffset")) view["byteOffset"] = offset;
      view["byteLength"] =
          std::clamp<std::uint64_t>(whole_of(view, "byteLength", 1), 1, size - offset + 1);
    }
  }

  // Accessors without a use must be valid too.
  void accessors() {
    for (Json& accessor : document_["accessors"]) {
      const Json* const type = find(accessor, "type");
      if (type == nullptr || !type->is_string() || component_count(*type) == 0) {
        accessor["type"] = "SCALAR";
      }
      if (component_size(static_cast<int>(whole_of(accessor, "componentType", 0) & 0xFFFF)) == 0) {
        accessor["componentType"] = 5126;
      }
      accessor["count"] = std::clamp<std::uint64_t>(whole_of(accessor, "count", 1), 1, 9999);
      if (!keep_index(accessor, "bufferView", "bufferViews")) accessor.erase("byteOffset");
      for (const char* name : {"min", "max"}) accessor.erase(name);
    }
  }

  // Gives an accessor a form that its use allows. A second use with another form gets a copy.
  // Returns the elements; nothing for zeros.
  std::optional<Elements> shape(Json& index, const Shape& to) {
    Json& accessors = document_["accessors"];
    if (!index.is_number_unsigned() || accessors.empty()) {
      index = accessors.size();
      accessors.push_back({{"componentType", *to.component_types.begin()},
                           {"type", to.type},
                           {"count", to.count == 0 ? 1 : to.count}});
    }
    std::size_t a = index.get<std::uint64_t>() % accessors.size();
    const std::string use = std::string(to.type) + std::to_string(to.count) + "," +
                            std::to_string(*to.component_types.begin()) + "," +
                            std::to_string(to.limit);
    if (const auto shaped = uses_.try_emplace(a, use).first; shaped->second != use) {
      const Json copy = accessors[a];
      a = accessors.size();
      accessors.push_back(copy);
      uses_.emplace(a, use);
    }
    index = a;
    Json& accessor = accessors[a];
    const auto component = static_cast<int>(whole_of(accessor, "componentType", 0) & 0xFFFF);
    if (std::find(to.component_types.begin(), to.component_types.end(), component) ==
        to.component_types.end()) {
      accessor["componentType"] = *to.component_types.begin();
      accessor.erase("normalized");
    }
    accessor["type"] = to.type;
    const std::size_t count =
        to.count > 0 ? to.count
                     : std::clamp<std::size_t>(whole_of(accessor, "count", 1), 1, kMostElements);
    accessor["count"] = count;
    for (const char* name : {"min", "max"}) accessor.erase(name);
    if (accessor.contains("sparse") && !keep_sparse(accessor)) accessor.erase("sparse");
    if (!keep_index(accessor, "bufferView", "bufferViews")) return {};
    fit_buffer(accessor);
    auto elements = elements_of(file_, a);
    if (elements) make_valid(*elements, to.limit);
    return elements;
  }

  // Extends the view and the buffer to the end of the accessor, or removes the accessor's view.
  void fit_buffer(Json& accessor) {
    Json& view = document_["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    const auto component =
        static_cast<std::size_t>(component_size(accessor["componentType"].get<int>()));
    const std::size_t size =
        component * static_cast<std::size_t>(component_count(accessor["type"].get<std::string>()));
    std::uint64_t start = whole_of(view, "byteOffset", 0);
    if (start % 4 != 0) view["byteOffset"] = start -= start % 4;
    const std::uint64_t stride = whole_of(view, "byteStride", 0);
    if (view.contains("byteStride") && (stride < size || stride > 252 || stride % 4 != 0)) {
      view.erase("byteStride");
    }
    std::uint64_t inside = std::min<std::uint64_t>(whole_of(accessor, "byteOffset", 0), kMostBytes);
    inside -= inside % component;
    if (accessor.contains("byteOffset")) accessor["byteOffset"] = inside;
    const std::uint64_t length =
        inside + whole_of(view, "byteStride", size) * (accessor["count"].get<std::uint64_t>() - 1) +
        size;
    std::string& bytes = file_.buffers[view["buffer"].get<std::size_t>()];
    if (start + length > std::max(kMostBytes, bytes.size())) {
      accessor.erase("bufferView");
      accessor.erase("byteOffset");
      return;
    }
    if (bytes.size() < start + length) bytes.resize(start + length);
    if (whole_of(view, "byteLength", 0) < length) view["byteLength"] = length;
  }

  // Makes the replaced elements the first ones, and the parts long enough.
  bool keep_sparse(Json& accessor) {
    Json& sparse = accessor["sparse"];
    const std::uint64_t count = whole_of(sparse, "count", 0);
    if (count == 0 || count > accessor["count"].get<std::uint64_t>()) return false;
    Json& indices = object_of(sparse, "indices");
    Json& values = object_of(sparse, "values");
    indices["componentType"] = 5123;
    for (Json* part : {&indices, &values}) {
      Json copy = {{"bufferView", find(*part, "bufferView") ? (*part)["bufferView"] : Json()},
                   {"componentType", part == &indices ? Json(5123) : accessor["componentType"]},
                   {"type", part == &indices ? Json("SCALAR") : accessor["type"]},
                   {"count", count}};
      if (!keep_index(copy, "bufferView", "bufferViews")) return false;
      document_["bufferViews"][copy["bufferView"].get<std::size_t>()].erase("byteStride");
      fit_buffer(copy);
      if (!copy.contains("bufferView")) return false;
      (*part)["bufferView"] = copy["bufferView"];
      part->erase("byteOffset");
    }
    const Json& view = document_["bufferViews"][indices["bufferView"].get<std::size_t>()];
    Elements elements{&file_.buffers[view["buffer"].get<std::size_t>()],
                      whole_of(view, "byteOffset", 0),
                      2,
                      count,
                      5123,
                      1};
    for (std::size_t e = 0; e < count; ++e) elements.set(e, 0, static_cast<double>(e));
    return true;
  }

  static void make_valid(Elements elements, std::size_t limit) {
    for (std::size_t e = 0; e < elements.count; ++e) {
      for (int c = 0; c < elements.components; ++c) {
        const double value = elements.get(e, c);
        if (limit > 0) elements.set(e, c, std::fmod(value, static_cast<double>(limit)));
        if (!(std::abs(value) < kLargest)) elements.set(e, c, 0);
      }
    }
  }

  void nodes() {
    Json& nodes = document_["nodes"];
    if (nodes.empty()) nodes.push_back(Json::object());
    parent_.assign(nodes.size(), nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      Json& node = nodes[n];
      if (!keep_index(node, "mesh", "meshes") || !keep_index(node, "skin", "skins")) {
        node.erase("skin");
      }
      for (const auto& [name, count] :
           {std::pair{"matrix", 16}, {"translation", 3}, {"rotation", 4}, {"scale", 3}}) {
        keep_numbers(node, name, static_cast<std::size_t>(count));
      }
      if (node.contains("matrix")) {
        for (const char* name : {"translation", "rotation", "scale"}) node.erase(name);
        for (std::size_t k : {3u, 7u, 11u, 15u}) node["matrix"][k] = k == 15 ? 1 : 0;
      }
      keep_children(n);
    }
    if (std::none_of(nodes.begin(), nodes.end(),
                     [](auto& node) { return node.contains("mesh"); })) {
      nodes[0]["mesh"] = 0;
    }
  }

  // Keeps children that do not have a parent yet and are not above the node.
  void keep_children(std::size_t n) {
    Json& node = document_["nodes"][n];
    if (!node.contains("children")) return;
    Json kept = Json::array();
    for (const Json& child : array_of(node, "children")) {
      if (!is_index(child, parent_.size())) continue;
      const auto c = child.get<std::size_t>();
      std::size_t above = n;
      while (above != parent_.size() && above != c) above = parent_[above];
      if (above == c || parent_[c] != parent_.size()) continue;
      parent_[c] = n;
      kept.push_back(c);
    }
    if (kept.empty()) {
      node.erase("children");
    } else {
      node["children"] = std::move(kept);
    }
  }

  // The fewest joints of the skins that are used with the mesh; 0: none.
  std::size_t joints_of(std::size_t mesh) const {
    std::size_t fewest = 0;
    for (const Json& node : document_["nodes"]) {
      if (whole_of(node, "mesh", UINT64_MAX) != mesh || !node.contains("skin")) continue;
      const std::size_t joints = std::max<std::size_t>(
          1, size_of(document_["skins"][node["skin"].get<std::size_t>()], "joints"));
      fewest = fewest == 0 ? joints : std::min(fewest, joints);
    }
    return fewest;
  }

  void meshes() {
    Json& meshes = document_["meshes"];
    if (meshes.empty()) meshes.push_back(Json::object());
    for (std::size_t m = 0; m < meshes.size(); ++m) {
      Json& primitives = array_of(meshes[m], "primitives");
      if (primitives.empty()) primitives.push_back(Json::object());
      only_objects(primitives);
      const std::size_t joints = joints_of(m);
      std::size_t targets = size_of(primitives[0], "targets");
      for (Json& primitive : primitives) this->primitive(primitive, joints, targets);
      keep_numbers(meshes[m], "weights", targets);
      for (Json& node : document_["nodes"]) {
        if (whole_of(node, "mesh", UINT64_MAX) == m) keep_numbers(node, "weights", targets);
      }
      target_counts_.push_back(targets);
    }
  }

  void primitive(Json& primitive, std::size_t joints, std::size_t target_count) {
    if (whole_of(primitive, "mode", 4) > 6) primitive.erase("mode");
    Json& attributes = object_of(primitive, "attributes");
    shape(attributes["POSITION"], {"VEC3", {5126, 5120, 5121, 5122, 5123}});
    const Json& positions = document_["accessors"][attributes["POSITION"].get<std::size_t>()];
    if (positions["componentType"] != 5126) use_extension("KHR_mesh_quantization");
    const std::size_t count = positions["count"];
    if (attributes.contains("NORMAL")) shape(attributes["NORMAL"], {"VEC3", {5126}, count});
    if (attributes.contains("TANGENT")) shape(attributes["TANGENT"], {"VEC4", {5126}, count});
    for (const char* name : {"TEXCOORD_0", "TEXCOORD_1"}) {
      if (attributes.contains(name)) shape(attributes[name], {"VEC2", {5126}, count});
    }
    if (attributes.contains("COLOR_0")) shape(attributes["COLOR_0"], {"VEC4", {5126}, count});
    influences(attributes, joints, count);
    if (primitive.contains("indices")) {
      shape(primitive["indices"], {"SCALAR", {5123, 5121, 5125}, 0, count});
    }
    keep_index(primitive, "material", "materials");
    Json& targets = array_of(primitive, "targets");
    while (targets.size() > target_count) targets.erase(targets.size() - 1);
    while (targets.size() < target_count) targets.push_back(Json::object());
    only_objects(targets);
    for (Json& target : targets) {
      for (auto& [name, index] : target.items()) shape(index, {"VEC3", {5126}, count});
    }
    if (targets.empty()) primitive.erase("targets");
  }

  void influences(Json& attributes, std::size_t joints, std::size_t count) {
    for (const std::string set : {"0", "1"}) {
      const std::string joints_name = "JOINTS_" + set, weights_name = "WEIGHTS_" + set;
      if (joints == 0 || (set == "1" && !attributes.contains(joints_name))) {
        attributes.erase(joints_name);
        attributes.erase(weights_name);
        continue;
      }
      shape(attributes[joints_name], {"VEC4", {5121, 5123}, count, joints});
      shape(attributes[weights_name], {"VEC4", {5126, 5121, 5123}, count});
    }
  }

  void use_extension(const char* name) {
    Json& used = array_of(document_, "extensionsUsed");
    if (std::find(used.begin(), used.end(), name) == used.end()) used.push_back(name);
  }

  void skins() {
    if (!document_.contains("skins")) return;
    only_objects(array_of(document_, "skins"));
    for (Json& skin : document_["skins"]) {
      Json kept = Json::array();
      for (const Json& joint : array_of(skin, "joints")) {
        if (is_index(joint, parent_.size()) &&
            std::find(kept.begin(), kept.end(), joint) == kept.end()) {
          kept.push_back(joint);
        }
      }
      if (kept.empty()) kept.push_back(0);
      skin["joints"] = kept;
      keep_index(skin, "skeleton", "nodes");
      if (!skin.contains("inverseBindMatrices")) continue;
      auto matrices = shape(skin["inverseBindMatrices"], {"MAT4", {5126}, kept.size()});
      if (!matrices) {
        skin.erase("inverseBindMatrices");
      } else {
        for (std::size_t e = 0; e < matrices->count; ++e) {
          for (int c : {3, 7, 11, 15}) matrices->set(e, c, c == 15);
        }
      }
    }
    if (document_["skins"].empty()) document_.erase("skins");
  }

  void animations() {
    if (!document_.contains("animations")) return;
    only_objects(array_of(document_, "animations"));
    for (Json& animation : document_["animations"]) {
      only_objects(array_of(animation, "samplers"));
      only_objects(array_of(animation, "channels"));
      const std::size_t samplers = animation["samplers"].size();
      Json kept = Json::array();
      std::map<std::size_t, std::size_t> widths;
      for (Json& channel : animation["channels"]) {
        if (samplers == 0) break;
        channel["sampler"] = whole_of(channel, "sampler", 0) % samplers;
        Json& target = object_of(channel, "target");
        const std::size_t width = width_of(target);
        const std::size_t s = channel["sampler"];
        if (width == 0 || !widths.try_emplace(s, width).second) continue;
        sampler(animation["samplers"][s], width, target["path"] == "weights");
        kept.push_back(channel);
      }
      animation["channels"] = std::move(kept);
    }
    Json& animations = document_["animations"];
    for (std::size_t a = animations.size(); a-- > 0;) {
      if (animations[a]["channels"].empty()) animations.erase(a);
    }
    if (animations.empty()) document_.erase("animations");
  }

  // Numbers per key of a channel; 0: the channel cannot be used.
  std::size_t width_of(Json& target) {
    if (!keep_index(target, "node", "nodes")) return 0;
    const Json* const path = find(target, "path");
    if (path == nullptr || !path->is_string()) return 0;
    if (*path == "rotation") return 4;
    if (*path == "translation" || *path == "scale") return 3;
    const std::uint64_t mesh =
        whole_of(document_["nodes"][target["node"].get<std::size_t>()], "mesh", UINT64_MAX);
    return *path == "weights" && mesh < target_counts_.size() ? target_counts_[mesh] : 0;
  }

  void sampler(Json& sampler, std::size_t width, bool is_weights) {
    const Json* const interpolation = find(sampler, "interpolation");
    const bool cubic = interpolation != nullptr && *interpolation == "CUBICSPLINE";
    if (interpolation != nullptr && !cubic && *interpolation != "STEP") {
      sampler["interpolation"] = "LINEAR";
    }
    auto times = shape(sampler["input"], {"SCALAR", {5126}});
    std::size_t keys = document_["accessors"][sampler["input"].get<std::size_t>()]["count"];
    double least = 0;
    for (std::size_t k = 0; times && k < times->count; ++k) {
      const double time = std::clamp(times->get(k, 0), least, 1e4);
      times->set(k, 0, time);
      least = time + 1e-3 * (1 + time);
    }
    keys *= cubic ? 3 : 1;
    if (is_weights) {
      shape(sampler["output"], {"SCALAR", {5126}, keys * width});
    } else {
      shape(sampler["output"], {width == 4 ? "VEC4" : "VEC3", {5126}, keys});
    }
  }

  void scenes() {
    if (!document_.contains("scenes")) return;
    only_objects(array_of(document_, "scenes"));
    for (Json& scene : document_["scenes"]) {
      Json roots = Json::array();
      for (const Json& node : array_of(scene, "nodes")) {
        if (!is_index(node, parent_.size())) continue;
        std::size_t root = node;
        while (parent_[root] != parent_.size()) root = parent_[root];
        if (std::find(roots.begin(), roots.end(), root) == roots.end()) roots.push_back(root);
      }
      if (roots.empty()) {
        for (std::size_t n = 0; n < parent_.size(); ++n) {
          if (parent_[n] == parent_.size()) roots.push_back(n);
        }
      }
      scene["nodes"] = std::move(roots);
    }
    keep_index(document_, "scene", "scenes");
    if (document_["scenes"].empty()) document_.erase("scenes");
  }

  GltfFile& file_;
  Json& document_;
  std::map<std::size_t, std::string> uses_;  // accessor: its form
  std::vector<std::size_t> parent_;          // [node]; the number of nodes: none
  std::vector<std::size_t> target_counts_;   // [mesh]
};

}  // namespace

void repair(GltfFile& file) {
  Repair(file).run();
}

}  // namespace skinbake::fuzz
