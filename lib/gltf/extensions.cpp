// Which extensions may be ignored, which may not.

#include <algorithm>
#include <array>
#include <string_view>

#include "gltf/document.h"
#include "gltf/uri.h"

namespace skinbake::gltf {

namespace {

// Looks, light, sound and meaning: they do not move a vertex.
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

// They change vertices or their motion, and are read.
constexpr std::array<std::string_view, 5> kSupported{
    "KHR_mesh_quantization", "KHR_draco_mesh_compression", "EXT_meshopt_compression",
    "KHR_meshopt_compression", "KHR_animation_pointer"};

// Motion that depends on what happened before, or on other nodes: the clip is baked without it.
constexpr std::array<std::string_view, 2> kUnsimulated{"VRMC_springBone", "VRMC_node_constraint"};

constexpr const char* kInstancing = "EXT_mesh_gpu_instancing";

bool is_harmless(std::string_view name) {
  return std::any_of(kHarmless.begin(), kHarmless.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

template <class Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_known(std::string_view name) {
  return is_harmless(name) || is_one_of(kSupported, name) || name == kInstancing;
}

void check_required(const Document& document, const std::string& name, std::size_t index) {
  if (is_known(name)) return;
  const auto use = document.extension_uses.find(name);
  const bool used = use != document.extension_uses.end();
  document.fail("EXTENSION_UNSUPPORTED",
                {"extension " + in_quotes(name),
                 used ? use->second : "/extensionsRequired/" + std::to_string(index)},
                "is required and not supported; export without it");
}

// One issue for each extension that may change what is baked.
void note_ignored(Document& document, const std::string& name, const std::string& pointer) {
  if (is_one_of(kUnsimulated, name)) {
    document.note(IssueCode::EXTENSION_IGNORED, pointer,
                  "extension " + in_quotes(name) +
                      " moves nodes by simulation or constraint; the clip is baked without");
  } else if (!is_known(name)) {
    document.note(IssueCode::EXTENSION_IGNORED, pointer,
                  "extension " + in_quotes(name) + " is not known; ignored");
  }
}

}  // namespace

void check_extensions(Document& document) {
  if (const auto use = document.extension_uses.find(kInstancing);
      use != document.extension_uses.end()) {
    document.fail("INSTANCING_UNSUPPORTED", {"extension " + in_quotes(kInstancing), use->second},
                  "multiplies meshes and is not supported; export without instancing");
  }
  const std::vector<std::string> required = document.model.extensionsRequired;
  for (std::size_t i = 0; i < required.size(); ++i) check_required(document, required[i], i);
  const std::vector<std::string> used = document.model.extensionsUsed;
  for (std::size_t i = 0; i < used.size(); ++i) {
    note_ignored(document, used[i], "/extensionsUsed/" + std::to_string(i));
  }
  for (std::size_t i = 0; i < required.size(); ++i) {
    if (is_one_of(used, required[i])) continue;
    note_ignored(document, required[i], "/extensionsRequired/" + std::to_string(i));
  }
}

}  // namespace skinbake::gltf
