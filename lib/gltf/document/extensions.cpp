#include "gltf/document/extensions.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "gltf/document/references.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

// Prefixes of extensions for appearance, light, sound and metadata, which do not move vertices.
constexpr std::array<std::string_view, 29> kHarmless{"KHR_materials_",
                                                     "KHR_texture_",
                                                     "KHR_lights_",
                                                     "KHR_xmp",
                                                     "KHR_audio",
                                                     "KHR_techniques_",
                                                     "KHR_implicit_",
                                                     "KHR_collision_",
                                                     "KHR_physics_",
                                                     "KHR_interactivity",
                                                     "KHR_node_",
                                                     "EXT_texture_",
                                                     "EXT_lights_",
                                                     "EXT_materials_",
                                                     "EXT_image_",
                                                     "EXT_mesh_features",
                                                     "EXT_instance_features",
                                                     "EXT_property_",
                                                     "EXT_structural_",
                                                     "EXT_feature_",
                                                     "MSFT_texture_",
                                                     "MSFT_packing_",
                                                     "ADOBE_materials_",
                                                     "ADOBE_texture_",
                                                     "AGI_",
                                                     "CESIUM_primitive_outline",
                                                     "GOOGLE_",
                                                     "FB_material_",
                                                     "VRM"};

// Extensions that change vertices or their motion, and that the loader reads.
constexpr std::array<std::string_view, 5> kSupported{
    "KHR_mesh_quantization", "KHR_draco_mesh_compression", "EXT_meshopt_compression",
    "KHR_meshopt_compression", "KHR_animation_pointer"};

// Extensions whose motion depends on earlier frames or on other nodes. The clip is baked without
// this motion.
constexpr std::array<std::string_view, 2> kUnsimulated{"VRMC_springBone", "VRMC_node_constraint"};

bool is_harmless(std::string_view name) {
  return std::any_of(kHarmless.begin(), kHarmless.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

template <class Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_known(std::string_view name) {
  return is_harmless(name) || is_one_of(kSupported, name) || name == kGpuInstancing;
}

void check_required(const Document& document, const std::string& name, std::size_t index) {
  if (is_known(name)) return;
  const auto use = document.extension_uses.find(name);
  const bool used = use != document.extension_uses.end();
  document.fail("EXTENSION_UNSUPPORTED",
                {"extension " + in_quotes(name),
                 used ? use->second : "/extensionsRequired/" + std::to_string(index)},
                "is required but not supported");
}

// Adds an issue if the extension may change the baked result.
void note_ignored(Document& document, const std::string& name, const std::string& pointer) {
  if (is_one_of(kUnsimulated, name)) {
    document.note("EXTENSION_IGNORED", pointer,
                  "extension " + in_quotes(name) +
                      " moves nodes by simulation or constraints; the clip is baked without it");
  } else if (!is_known(name)) {
    document.note("EXTENSION_IGNORED", pointer,
                  "extension " + in_quotes(name) + " is unknown; ignored");
  }
}

// --- Extensions that are read ---

constexpr const char* kExtensions = "extensions";

// Calls visit(index, element) for each element of an array, which may be absent.
template <class Visit>
void for_each_element(json& object, const char* member, const Visit& visit) {
  const auto found = object.find(member);
  if (found == object.end()) return;
  int index = 0;
  for (json& element : *found) visit(index++, element);
}

// Moves the first of the named extensions out of an object and erases all its extensions. Returns
// null if the object does not have any of them.
json take_extension(json& object, std::initializer_list<const char*> names) {
  json taken;
  const auto extensions = object.find(kExtensions);
  if (extensions == object.end()) return taken;
  for (const char* name : names) {
    const auto extension = extensions->find(name);
    if (extension == extensions->end()) continue;
    taken = std::move(*extension);
    taken["name"] = name;
    break;
  }
  object.erase(extensions);
  return taken;
}

void take_view(int index, json& view, Document& document) {
  const json extension =
      take_extension(view, {"EXT_meshopt_compression", "KHR_meshopt_compression"});
  if (extension.is_null()) return;
  MeshoptView& compressed = document.meshopt_views[index];
  compressed.extension = extension["name"].get<std::string>();
  compressed.buffer = extension["buffer"].get<std::size_t>();
  compressed.byte_offset = extension.value("byteOffset", std::uint64_t{0});
  compressed.byte_length = extension["byteLength"].get<std::uint64_t>();
  compressed.byte_stride = extension["byteStride"].get<std::uint64_t>();
  compressed.count = extension["count"].get<std::uint64_t>();
  compressed.mode = extension["mode"].get<std::string>();
  compressed.filter = extension.value("filter", "NONE");
}

void take_primitive(std::pair<int, int> index, json& primitive, Document& document) {
  const json extension = take_extension(primitive, {"KHR_draco_mesh_compression"});
  if (extension.is_null()) return;
  DracoPrimitive& compressed = document.draco_primitives[index];
  compressed.view = extension["bufferView"].get<int>();
  for (const auto& [name, id] : extension["attributes"].items()) {
    compressed.attributes[name] = id.get<std::uint32_t>();
  }
}

}  // namespace

void find_special_nodes(const json& source, Document& document) {
  const auto nodes = source.find("nodes");
  if (nodes == source.end()) return;
  int index = -1;
  for (const json& node : *nodes) {
    ++index;
    const auto extensions = node.find(kExtensions);
    if (extensions == node.end() || !extensions->is_object()) continue;
    if (extensions->contains(kGpuInstancing)) document.instanced_nodes.push_back(index);
    const auto visibility = extensions->find("KHR_node_visibility");
    if (visibility == extensions->end() || !visibility->is_object()) continue;
    const auto visible = visibility->find("visible");
    if (visible != visibility->end() && *visible == false) document.hidden_nodes.push_back(index);
  }
}

void check_extensions(Document& document) {
  const std::vector<std::string> required = document.model.extensions_required;
  for (std::size_t i = 0; i < required.size(); ++i) check_required(document, required[i], i);
  const std::vector<std::string> used = document.model.extensions_used;
  for (std::size_t i = 0; i < used.size(); ++i) {
    note_ignored(document, used[i], "/extensionsUsed/" + std::to_string(i));
  }
  std::set<std::string_view> noted(used.begin(), used.end());
  for (std::size_t i = 0; i < required.size(); ++i) {
    if (!noted.insert(required[i]).second) continue;
    note_ignored(document, required[i], "/extensionsRequired/" + std::to_string(i));
  }
  for (const auto& [name, pointer] : document.extension_uses) {
    if (!noted.contains(name)) note_ignored(document, name, pointer);
  }
}

void take_extensions(json& checked, Document& document) {
  for_each_element(checked, "bufferViews",
                   [&](int v, json& view) { take_view(v, view, document); });
  for_each_element(checked, "meshes", [&](int m, json& mesh) {
    for_each_element(mesh, "primitives", [&](int p, json& primitive) {
      take_primitive({m, p}, primitive, document);
    });
  });
  for_each_element(checked, "animations", [&](int a, json& animation) {
    for_each_element(animation, "channels", [&](int c, json& channel) {
      const json pointer = take_extension(channel["target"], {"KHR_animation_pointer"});
      if (!pointer.is_null()) {
        document.animation_pointers[{a, c}] = pointer["pointer"].get<std::string>();
      }
    });
  });
}

}  // namespace skinbake::gltf
