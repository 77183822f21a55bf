#include "gltf/write/document/unused_elements.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gltf/document/json_member.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

constexpr const char* kGpuInstancing = "EXT_mesh_gpu_instancing";
constexpr const char* kDraco = "KHR_draco_mesh_compression";

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

// The functions below take a document that may be const.

template <class Json, class Use>
void visit(Json& object, const char* key, const Use& use) {
  if (!object.is_object()) return;
  const auto found = object.find(key);
  if (found != object.end()) use(*found);
}

template <class Json, class Use>
void visit_each(Json& object, const char* key, const Use& use) {
  visit(object, key, [&](Json& elements) {
    for (Json& element : elements) use(element);
  });
}

template <class Json, class Use>
void visit_extension(Json& object, const char* name, const Use& use) {
  visit(object, "extensions", [&](Json& extensions) { visit(extensions, name, use); });
}

template <class Json, class Use>
void visit_primitives(Json& gltf, const Use& use) {
  visit_each(gltf, "meshes", [&](Json& mesh) { visit_each(mesh, "primitives", use); });
}

// Calls use(index) with each reference to an accessor.
template <class Json, class Use>
void visit_accessor_uses(Json& gltf, const Use& use) {
  visit_primitives(gltf, [&](Json& primitive) {
    visit_each(primitive, "attributes", use);
    visit(primitive, "indices", use);
    visit_each(primitive, "targets", [&](Json& target) {
      for (Json& accessor : target) use(accessor);
    });
  });
  visit_each(gltf, "skins", [&](Json& skin) { visit(skin, "inverseBindMatrices", use); });
  visit_each(gltf, "animations", [&](Json& animation) {
    visit_each(animation, "samplers", [&](Json& sampler) {
      visit(sampler, "input", use);
      visit(sampler, "output", use);
    });
  });
  visit_each(gltf, "nodes", [&](Json& node) {
    visit_extension(node, kGpuInstancing,
                    [&](Json& instances) { visit_each(instances, "attributes", use); });
  });
}

// Calls use(index) with each reference to a buffer view.
template <class Json, class Use>
void visit_view_uses(Json& gltf, const Use& use) {
  visit_each(gltf, "accessors", [&](Json& accessor) {
    visit(accessor, "bufferView", use);
    visit(accessor, "sparse", [&](Json& sparse) {
      for (const char* part : {"indices", "values"}) {
        visit(sparse, part, [&](Json& of_part) { visit(of_part, "bufferView", use); });
      }
    });
  });
  visit_each(gltf, "images", [&](Json& image) { visit(image, "bufferView", use); });
  visit_primitives(gltf, [&](Json& primitive) {
    visit_extension(primitive, kDraco, [&](Json& draco) { visit(draco, "bufferView", use); });
  });
}

template <class Json, class Use>
void visit_sampler_uses(Json& animation, const Use& use) {
  visit_each(animation, "channels", [&](Json& channel) { visit(channel, "sampler", use); });
}

// Erases from the array `list` of `changed` what `source` uses and `changed` does not. `visit_uses`
// visits the references of both. The references of extensions are not checked before.
template <class VisitUses>
void erase_from(const char* list, const json& source, json& changed, const VisitUses& visit_uses) {
  const auto found = changed.find(list);
  if (found == changed.end()) return;
  const std::size_t count = found->size();
  std::vector<bool> before(count), after(count);
  const auto mark = [&](std::vector<bool>& marks) {
    return [&](const json& index) {
      if (const auto i = index_below(count, index)) marks[*i] = true;
    };
  };
  visit_uses(source, mark(before));
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
  erase_from("samplers", source, changed,
             [](auto& animation, const auto& use) { visit_sampler_uses(animation, use); });
}

void erase_unused(const json& source, json& changed) {
  if (!has_known_references(changed)) return;
  const auto animations = source.find("animations");
  for (std::size_t i = 0; animations != source.end() && i < animations->size(); ++i) {
    erase_unused_samplers((*animations)[i], changed["animations"][i]);
  }
  // Views are the last: an accessor that is erased does not use its views any more.
  erase_from("accessors", source, changed,
             [](auto& gltf, const auto& use) { visit_accessor_uses(gltf, use); });
  erase_from("bufferViews", source, changed,
             [](auto& gltf, const auto& use) { visit_view_uses(gltf, use); });
}

}  // namespace skinbake::gltf
