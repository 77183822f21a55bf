// Which extensions may be ignored, which may not.

#include <algorithm>
#include <array>
#include <string_view>

#include "gltf/document.h"
#include "gltf/uri.h"

namespace skinbake::gltf {

namespace {

// Looks, light, sound and meaning: they do not move a vertex.
constexpr std::array<std::string_view, 27> kHarmless{"KHR_materials_",
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

// They change vertices or their motion, but only where they are used.
constexpr std::array<std::string_view, 4> kUnsupported{
    "KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression",
    "KHR_animation_pointer"};

// Vertices in integers: the accessor that has them is refused, by name.
constexpr std::string_view kQuantization = "KHR_mesh_quantization";
constexpr const char* kInstancing = "EXT_mesh_gpu_instancing";

bool is_harmless(std::string_view name) {
  return std::any_of(kHarmless.begin(), kHarmless.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_unsupported(std::string_view name) {
  return std::find(kUnsupported.begin(), kUnsupported.end(), name) != kUnsupported.end();
}

bool is_known(std::string_view name) {
  return is_harmless(name) || is_unsupported(name) || name == kQuantization || name == kInstancing;
}

void check_required(const Document& document, const std::string& name, std::size_t index) {
  const auto use = document.extension_uses.find(name);
  const bool used = use != document.extension_uses.end();
  if (is_known(name) && !(is_unsupported(name) && used)) return;
  document.fail("EXTENSION_UNSUPPORTED",
                {"extension " + in_quotes(name),
                 used ? use->second : "/extensionsRequired/" + std::to_string(index)},
                "is required and not supported; export without it");
}

}  // namespace

void check_extensions(Document& document) {
  if (const auto use = document.extension_uses.find(kInstancing);
      use != document.extension_uses.end()) {
    document.fail("INSTANCING_UNSUPPORTED", {"extension " + in_quotes(kInstancing), use->second},
                  "multiplies meshes and is not supported; export without instancing");
  }
  const auto& required = document.model.extensionsRequired;
  for (std::size_t i = 0; i < required.size(); ++i) check_required(document, required[i], i);
  const auto& used = document.model.extensionsUsed;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (is_known(used[i])) continue;
    document.note(IssueCode::EXTENSION_IGNORED, "/extensionsUsed/" + std::to_string(i),
                  "extension " + in_quotes(used[i]) + " is not known; ignored");
  }
}

}  // namespace skinbake::gltf
