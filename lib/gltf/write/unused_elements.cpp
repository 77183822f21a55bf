#include "gltf/write/unused_elements.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gltf/document/json_member.h"
#include "gltf/document/references.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

// Extensions whose references to accessors and views are below, or that have none.
constexpr std::array<std::string_view, 17> kKnown{"KHR_materials_",
                                                  "KHR_texture_",
                                                  "KHR_lights_",
                                                  "KHR_xmp",
                                                  "KHR_animation_pointer",
                                                  "KHR_mesh_quantization",
                                                  "KHR_node_",
                                                  kDraco,
                                                  "KHR_meshopt_compression",
                                                  kGpuInstancing,
                                                  "EXT_texture_",
                                                  "EXT_meshopt_compression",
                                                  "MSFT_texture_",
                                                  "MSFT_lod",
                                                  "VRM",
                                                  "FB_material_",
                                                  "ADOBE_materials_"};

bool is_known_extension(std::string_view name) {
  return std::any_of(kKnown.begin(), kKnown.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

template <class Json, class Use>
void visit_sampler_uses(Json& animation, const Use& use) {
  visit_each(animation, "channels", [&](Json& channel) { visit(channel, "sampler", use); });
}

// Erases from the array `list` of `changed` what `source` uses and `changed` does not; null: what
// `changed` does not use. `visit_uses` visits the references of both. The references of extensions
// are not checked before.
template <class VisitUses>
void erase_from(const char* list, const json* source, json& changed, const VisitUses& visit_uses) {
  const auto found = changed.find(list);
  if (found == changed.end()) return;
  const std::size_t count = found->size();
  std::vector<bool> before(count, source == nullptr), after(count);
  const auto mark = [&](std::vector<bool>& marks) {
    return [&](const json& index) {
      if (const auto i = index_below(count, index)) marks[*i] = true;
    };
  };
  if (source != nullptr) visit_uses(*source, mark(before));
  visit_uses(std::as_const(changed), mark(after));
  json kept = json::array();
  std::vector<std::size_t> new_index;
  for (std::size_t i = 0; i < count; ++i) {
    new_index.push_back(kept.size());
    if (!before[i] || after[i]) kept.push_back(std::move((*found)[i]));
  }
  *found = std::move(kept);
  visit_uses(changed, [&](json& index) {
    if (const auto i = index_below(count, index)) index = new_index[*i];
  });
}

// Views are the last: an accessor that is erased does not use its views any more.
void erase_data(const json* source, json& changed) {
  erase_from("accessors", source, changed,
             [](auto& gltf, const auto& use) { visit_accessor_uses(gltf, use); });
  erase_from("bufferViews", source, changed,
             [](auto& gltf, const auto& use) { visit_view_uses(gltf, use); });
}

// Files may have extensions that they do not list.
bool has_known_references(const json& gltf) {
  return are_listed_known(gltf) && count_unknown(gltf) == 0;
}

}  // namespace

bool are_listed_known(const json& document) {
  const auto used = document.find("extensionsUsed");
  if (used == document.end()) return true;
  return std::all_of(used->begin(), used->end(), [](const json& name) {
    return name.is_string() && is_known_extension(name.get_ref<const std::string&>());
  });
}

std::size_t count_unknown(const json& value) {
  std::size_t unknown = 0;
  std::vector<const json*> unseen{&value};
  while (!unseen.empty()) {
    const json& part = *unseen.back();
    unseen.pop_back();
    const json& extensions = member(part, "extensions");
    if (extensions.is_object()) {
      for (const auto& [name, extension] : extensions.items()) {
        if (!is_known_extension(name)) ++unknown;
      }
    }
    if (!part.is_structured()) continue;
    for (const json& inner : part) {
      if (inner.is_structured()) unseen.push_back(&inner);
    }
  }
  return unknown;
}

void visit_accessors(const json& document, const Use& use) {
  visit_accessor_uses(document, use);
}

void visit_views(const json& document, const Use& use) {
  visit_view_uses(document, use);
}

void erase_unused_samplers(const json& source, json& changed) {
  erase_from("samplers", &source, changed,
             [](auto& animation, const auto& use) { visit_sampler_uses(animation, use); });
}

void erase_unused(const json& source, json& changed) {
  if (!has_known_references(changed)) return;
  const auto animations = source.find("animations");
  for (std::size_t i = 0; animations != source.end() && i < animations->size(); ++i) {
    erase_unused_samplers((*animations)[i], changed["animations"][i]);
  }
  erase_data(&source, changed);
}

void erase_unused_appearance(json& document) {
  const auto erase = [&](const char* list, const auto& visit_uses) {
    erase_from(list, nullptr, document, visit_uses);
  };
  erase("materials", [](auto& gltf, const auto& use) {
    visit_primitives(gltf, [&](auto& primitive) { visit(primitive, "material", use); });
  });
  erase("textures", [](auto& gltf, const auto& use) {
    visit_each(gltf, "materials", [&](auto& material) {
      visit_texture_infos(material, [&](auto& info) { visit(info, "index", use); });
    });
  });
  erase("samplers", [](auto& gltf, const auto& use) {
    visit_each(gltf, "textures", [&](auto& texture) { visit(texture, "sampler", use); });
  });
  erase("images", [](auto& gltf, const auto& use) {
    visit_each(gltf, "textures", [&](auto& texture) { visit_sources(texture, use); });
  });
  erase_data(nullptr, document);
}

}  // namespace skinbake::gltf
