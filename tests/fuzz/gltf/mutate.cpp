#include "gltf/mutate.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gltf/gltf_file.h"
#include "gltf/repair.h"
#include "gltf/small_rig.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace skinbake::fuzz {

namespace {

constexpr const char* kSections[] = {"nodes",  "meshes",     "skins",       "accessors",
                                     "scenes", "animations", "bufferViews", "materials"};
constexpr double kNumbers[] = {0,          -0.0, 1,    -1,    0.5,   2,    1e-3,  1e-9,  1e-20,
                               1e-40,      1e6,  1e12, -1e12, 1e30,  3e38, 255,   65535, 180,
                               3.14159265, 0.25, 1e-6, 0.999, 1.001, 1e-7, -1e-6, NAN,   INFINITY};
constexpr const char* kNames[] = {"",     "a",    "arm",    "elbow", "a/b", "../x", "{mesh}", "#0",
                                  "hips", "Root", "\u00e4", "\n",    "aux", "*",    "%s"};

// ---- single changes; each does nothing if the file does not have its kind of value

double changed(double value, Random& random) {
  switch (below(random, 5)) {
    case 0:
      return -value;
    case 1:
      return value * pick(random, {0.5, 2.0, 1.0000001, 1e3, 1e-3, -1.0});
    case 2:
      return value + pick(random, {1.0, -1.0, 1e-6, 0.1, -0.1});
    default:
      return pick(random, kNumbers);
  }
}

// A number of an accessor: a position, an index, a weight, a matrix or a key.
void change_element(GltfFile& file, Random& random) {
  auto elements = elements_of(file, below(random, size_of(file.document, "accessors")));
  if (!elements) return;
  const std::size_t e = below(random, elements->count), from = below(random, elements->count);
  const auto c = static_cast<int>(below(random, static_cast<std::size_t>(elements->components)));
  if (below(random, 3) == 0) {  // two equal elements
    for (int k = 0; k < elements->components; ++k) elements->set(e, k, elements->get(from, k));
  } else {
    elements->set(e, c, changed(elements->get(e, c), random));
  }
}

// All numbers of an accessor.
void scale_elements(GltfFile& file, Random& random) {
  auto elements = elements_of(file, below(random, size_of(file.document, "accessors")));
  if (!elements) return;
  const double factor = pick(random, kNumbers);
  const auto only = static_cast<int>(below(random, 5));  // 4: every component
  for (std::size_t e = 0; e < elements->count; ++e) {
    for (int c = 0; c < elements->components; ++c) {
      if (only == 4 || only == c) elements->set(e, c, factor * elements->get(e, c));
    }
  }
}

// Bytes of a buffer.
void change_bytes(GltfFile& file, Random& random) {
  if (file.buffers.empty()) return;
  std::string& bytes = file.buffers[below(random, file.buffers.size())];
  if (bytes.empty()) return;
  const std::size_t at = below(random, bytes.size());
  const std::size_t length = std::min<std::size_t>(bytes.size() - at, 1 + below(random, 16));
  LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()) + at, length, length);
}

// The number of elements, the types and the form of an accessor.
void change_accessor(GltfFile& file, Random& random) {
  const std::size_t count = size_of(file.document, "accessors");
  if (count == 0) return;
  Json& accessor = file.document["accessors"][below(random, count)];
  if (!accessor.is_object()) return;
  switch (below(random, 6)) {
    case 0:
      accessor["componentType"] = pick(random, {5120, 5121, 5122, 5123, 5125, 5126});
      break;
    case 1:
      accessor["type"] = pick(random, {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT4"});
      break;
    case 2:
      accessor["normalized"] = below(random, 2) == 0;
      break;
    case 3:
      accessor["bufferView"] = below(random, size_of(file.document, "bufferViews") + 1);
      break;
    case 4:
      accessor.erase(pick(random, {"bufferView", "sparse", "byteOffset", "normalized"}));
      break;
    default:
      accessor["count"] = pick(random, {1, 2, 3, 4, 5, 8, 15, 16, 17, 33, 64});
  }
}

// Gives an accessor one sparse element, at the end of the first buffer.
void add_sparse(GltfFile& file, Random& random) {
  const std::size_t count = size_of(file.document, "accessors");
  if (count == 0 || file.buffers.empty()) return;
  Json& accessor = file.document["accessors"][below(random, count)];
  if (!accessor.is_object()) return;
  std::string& bytes = file.buffers[0];
  bytes.append(-bytes.size() % 4, '\0');
  Json& views = array_of(file.document, "bufferViews");
  const auto append = [&](std::size_t size) {
    views.push_back({{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", size}});
    bytes.append(size, static_cast<char>(below(random, 2)));
    return views.size() - 1;
  };
  const std::size_t indices = append(4), values = append(64);
  accessor["sparse"] = {{"count", 1},
                        {"indices", {{"bufferView", indices}, {"componentType", 5123}}},
                        {"values", {{"bufferView", values}}}};
}

// A random value of the document that `fits`; null if there is none.
template <class Fits>
Json* find_value(Json& root, Random& random, const Fits& fits) {
  std::vector<Json*> open{&root}, found;
  while (!open.empty()) {
    Json& value = *open.back();
    open.pop_back();
    if (fits(value)) found.push_back(&value);
    if (value.is_structured()) {
      for (Json& child : value) open.push_back(&child);
    }
  }
  return found.empty() ? nullptr : found[below(random, found.size())];
}

// A number of the JSON: an index, a length, a coordinate of a node.
void change_number(GltfFile& file, Random& random) {
  Json* const number =
      find_value(file.document, random, [](const Json& value) { return value.is_number(); });
  if (number == nullptr) return;
  if (number->is_number_unsigned() && below(random, 4) != 0) {
    *number = below(random, 4) == 0 ? *number : Json(below(random, 12));
  } else {
    const double value = changed(number->get<double>(), random);
    *number = std::isfinite(value) ? value : 0;
  }
}

// Erases, copies or exchanges an element of an array or a member of an object.
void change_structure(GltfFile& file, Random& random) {
  Json* const value = find_value(file.document, random, [&](const Json& any) {
    return any.is_structured() && !any.empty() && &any != &file.document;
  });
  if (value == nullptr) return;
  const auto at = [&] {
    auto element = value->begin();
    std::advance(element, static_cast<std::ptrdiff_t>(below(random, value->size())));
    return element;
  };
  const std::size_t action = below(random, 4);
  if (action == 0) {
    value->erase(at());
  } else if (action == 1 && value->is_array()) {
    std::swap(*at(), *at());
  } else if (value->is_array() && value->size() < 12) {
    const Json copy = *at();
    value->push_back(copy);
  }
}

// A name, such as that of a node, a mesh or a clip.
void change_name(GltfFile& file, Random& random) {
  const char* const section = pick(random, kSections);
  const std::size_t count = size_of(file.document, section);
  if (count == 0) return;
  Json& element = file.document[section][below(random, count)];
  if (element.is_object()) element["name"] = pick(random, kNames);
}

// The place of a node, as a matrix or as its parts.
void change_place(GltfFile& file, Random& random) {
  const std::size_t count = size_of(file.document, "nodes");
  if (count == 0) return;
  Json& node = file.document["nodes"][below(random, count)];
  if (!node.is_object()) return;
  const auto numbers = [&](std::size_t length) {
    Json list = Json::array();
    for (std::size_t i = 0; i < length; ++i) {
      const double number = pick(random, kNumbers);
      list.push_back(std::isfinite(number) ? number : 0);
    }
    return list;
  };
  switch (below(random, 5)) {
    case 0:
      node["matrix"] = numbers(16);
      break;
    case 1:
      node["translation"] = numbers(3);
      break;
    case 2:
      node["rotation"] = numbers(4);
      break;
    case 3:
      node["scale"] = numbers(3);
      break;
    default:  // another parent
      array_of(file.document["nodes"][below(random, count)], "children")
          .push_back(below(random, count));
  }
}

// The links between the sections: meshes, skins, channels and their paths.
void change_link(GltfFile& file, Random& random) {
  Json* const object = find_value(file.document, random, [](const Json& value) {
    return value.is_object() && (value.contains("target") || value.contains("path") ||
                                 value.contains("attributes") || value.contains("input"));
  });
  const std::size_t accessors = size_of(file.document, "accessors");
  if (object == nullptr) return;
  if (object->contains("path")) {
    (*object)["path"] = pick(random, {"translation", "rotation", "scale", "weights", "pointer"});
  } else if (object->contains("input")) {
    (*object)["interpolation"] = pick(random, {"STEP", "LINEAR", "CUBICSPLINE"});
    if (below(random, 2) == 0) (*object)["output"] = below(random, accessors);
  } else if (object->contains("attributes")) {
    (*object)["mode"] = pick(random, {0, 1, 2, 3, 4, 4, 4, 5, 6});
    object_of(*object, "attributes")[pick(
        random, {"POSITION", "NORMAL", "TANGENT", "JOINTS_1", "WEIGHTS_1", "_OWN", "COLOR_0"})] =
        below(random, accessors);
    if (below(random, 3) == 0) {
      array_of(*object, "targets").push_back({{"POSITION", below(random, accessors)}});
    }
  }
}

// An animation of a random node.
void add_channel(GltfFile& file, Random& random) {
  Json& animations = array_of(file.document, "animations");
  if (animations.empty() || below(random, 8) == 0) animations.push_back(Json::object());
  Json& animation = animations[below(random, animations.size())];
  if (!animation.is_object()) return;
  const std::size_t accessors = size_of(file.document, "accessors");
  Json& samplers = array_of(animation, "samplers");
  samplers.push_back({{"input", below(random, accessors)}, {"output", below(random, accessors)}});
  array_of(animation, "channels")
      .push_back({{"sampler", samplers.size() - 1},
                  {"target",
                   {{"node", below(random, size_of(file.document, "nodes"))},
                    {"path", pick(random, {"translation", "rotation", "scale", "weights"})}}}});
}

// An extension that the loader reads, or one that it does not know.
void add_extension(GltfFile& file, Random& random) {
  struct Extension {
    const char *name, *section, *json;
  };
  static constexpr Extension kExtensions[] = {
      {"EXT_mesh_gpu_instancing", "nodes", R"({"attributes": {"TRANSLATION": 0}})"},
      {"KHR_node_visibility", "nodes", R"({"visible": false})"},
      {"KHR_materials_unlit", "materials", "{}"},
      {"KHR_draco_mesh_compression", "meshes", R"({"bufferView": 0, "attributes": {}})"},
      {"EXT_meshopt_compression", "bufferViews",
       R"({"buffer": 0, "byteLength": 16, "byteStride": 4, "count": 4, "mode": "ATTRIBUTES"})"},
      {"KHR_animation_pointer", "animations", R"({"pointer": "/nodes/0/translation"})"},
      {"VRMC_vrm", "", R"({"humanoid": {"humanBones": {"hips": {"node": 0}}}})"},
      {"VRMC_vrm_animation", "",
       R"({"humanoid": {"humanBones": {"hips": {"node": 0}, "leftUpperLeg": {"node": 1}}}})"},
      {"VRM", "", R"({"humanoid": {"humanBones": [{"bone": "hips", "node": 0}]}})"},
      {"KHR_mesh_quantization", "", "{}"},
      {"EXT_unheard_of", "nodes", "[]"}};
  const Extension& extension = pick(random, kExtensions);
  Json* owner = &file.document;
  if (const std::size_t count = size_of(*owner, extension.section); count > 0) {
    owner = &file.document[extension.section][below(random, count)];
  }
  if (!owner->is_object()) return;
  object_of(*owner, "extensions")[extension.name] = Json::parse(extension.json);
  Json& used = array_of(file.document, "extensionsUsed");
  if (std::find(used.begin(), used.end(), extension.name) == used.end()) {
    used.push_back(extension.name);
  }
}

using Change = void (*)(GltfFile&, Random&);
// Changes that keep a file usable occur several times.
constexpr Change kChanges[] = {change_element, change_element,   change_element,   scale_elements,
                               change_bytes,   change_accessor,  change_accessor,  change_number,
                               change_number,  change_structure, change_structure, change_name,
                               change_place,   change_place,     change_link,      change_link,
                               add_channel,    add_sparse,       add_extension};

// ---- whole files

std::size_t mutate_bytes(std::uint8_t* data, std::size_t size, std::size_t max_size) {
  return LLVMFuzzerMutate(data, size, max_size);
}

std::size_t store(const GltfFile& file, std::uint8_t* out, std::size_t max_size) {
  const std::string bytes = to_bytes(file);
  if (bytes.size() > max_size) return 0;
  std::memcpy(out, bytes.data(), bytes.size());
  return bytes.size();
}

}  // namespace

std::size_t mutate_gltf(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  Random random(seed);
  // Some files are changed as bytes, and some stay inconsistent: the loader must refuse them.
  if (below(random, 32) == 0) return mutate_bytes(data, size, max_size);
  auto file = parse_gltf({reinterpret_cast<const char*>(data), size});
  if (!file && below(random, 8) == 0) return mutate_bytes(data, size, max_size);
  if (!file) file = parse_gltf(kSmallRig).value();
  const std::size_t changes = 1 + below(random, 4);
  for (std::size_t i = 0; i < changes; ++i) pick(random, kChanges)(*file, random);
  if (below(random, 12) != 0) repair(*file);
  if (below(random, 16) == 0) file->is_glb = !file->is_glb;
  const std::size_t written = store(*file, data, max_size);
  return written > 0 ? written : mutate_bytes(data, size, max_size);
}

std::size_t cross_gltf(const std::uint8_t* a, std::size_t a_size, const std::uint8_t* b,
                       std::size_t b_size, std::uint8_t* out, std::size_t max_size, unsigned seed) {
  Random random(seed);
  auto file = parse_gltf({reinterpret_cast<const char*>(a), a_size});
  auto other = parse_gltf({reinterpret_cast<const char*>(b), b_size});
  if (!file || !other) return 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const char* const section = pick(random, kSections);
    if (size_of(other->document, section) == 0) continue;
    if (below(random, 2) == 0) {
      file->document[section] = other->document[section];
    } else {
      const std::size_t count = other->document[section].size();
      array_of(file->document, section).push_back(other->document[section][below(random, count)]);
    }
  }
  repair(*file);
  return store(*file, out, max_size);
}

}  // namespace skinbake::fuzz
