#include "caches/glb_looks.h"

#include <algorithm>
#include <set>

namespace skinbake {

namespace {

using Array = JsonTemplate::Array;
using Numbers = std::map<std::size_t, std::size_t>;  // of the file to here

void take_references(const JsonTemplate& from, Array array, Numbers& used) {
  for (const JsonTemplate::Reference& reference : from.references) {
    if (reference.array == array) used[reference.index] = 0;
  }
}

void number(Numbers& used) {
  std::size_t next = 0;
  for (auto& [old, now] : used) now = next++;
}

struct Renumbering {
  Numbers materials, textures, samplers, images;
};

std::string text_of(const JsonTemplate& from, const Renumbering& numbers) {
  std::string text = from.texts.front();
  for (std::size_t i = 0; i < from.references.size(); ++i) {
    const auto& [array, index] = from.references[i];
    if (array == Array::kTexcoord) {
      text += std::to_string(index) + from.texts[i + 1];
      continue;
    }
    const Numbers& of = array == Array::kTexture   ? numbers.textures
                        : array == Array::kSampler ? numbers.samplers
                                                   : numbers.images;
    text += std::to_string(of.at(index)) + from.texts[i + 1];
  }
  return text;
}

Renumbering renumber(const AssetExtras& extras, std::span<const MeshExtras* const> meshes) {
  Renumbering used;
  for (const MeshExtras* mesh : meshes) {
    for (const PrimitiveExtras& primitive : mesh->primitives) {
      if (primitive.material >= 0) used.materials[static_cast<std::size_t>(primitive.material)] = 0;
    }
  }
  for (const auto& [m, ignored] : used.materials) {
    take_references(extras.materials[m], Array::kTexture, used.textures);
  }
  for (const auto& [t, ignored] : used.textures) {
    take_references(extras.textures[t], Array::kSampler, used.samplers);
    take_references(extras.textures[t], Array::kImage, used.images);
  }
  for (Numbers* numbers : {&used.materials, &used.textures, &used.samplers, &used.images}) {
    number(*numbers);
  }
  return used;
}

}  // namespace

GlbLooks collect_looks(const AssetExtras& extras, std::span<const MeshExtras* const> meshes) {
  const Renumbering numbers = renumber(extras, meshes);
  GlbLooks looks;
  std::set<std::string> extensions;
  for (const auto& [old, now] : numbers.materials) {
    looks.material_numbers[static_cast<int>(old)] = static_cast<int>(now);
    looks.materials.push_back(text_of(extras.materials[old], numbers));
    extensions.insert(extras.materials[old].extensions.begin(),
                      extras.materials[old].extensions.end());
  }
  for (const auto& [old, now] : numbers.textures) {
    looks.textures.push_back(text_of(extras.textures[old], numbers));
    extensions.insert(extras.textures[old].extensions.begin(),
                      extras.textures[old].extensions.end());
  }
  for (const auto& [old, now] : numbers.samplers) looks.samplers.push_back(extras.samplers[old]);
  for (const auto& [old, now] : numbers.images) looks.images.push_back(&extras.images[old]);
  looks.extensions_used.assign(extensions.begin(), extensions.end());
  std::set_intersection(extensions.begin(), extensions.end(), extras.extensions_required.begin(),
                        extras.extensions_required.end(),
                        std::back_inserter(looks.extensions_required));
  return looks;
}

}  // namespace skinbake
