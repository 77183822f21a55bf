#include "caches/glb/write/materials.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace skinbake {

namespace {

using Array = JsonTemplate::Array;
using NewIndices = std::map<std::size_t, std::size_t>;  // from the index in the file to the new one

// The new indices of the elements that the meshes use, for each array.
struct Renumbering {
  NewIndices materials, textures, samplers, images;
};

void add_references(const JsonTemplate& source, Array array, NewIndices& used) {
  for (const JsonTemplate::Reference& reference : source.references) {
    if (reference.array == array) used[reference.index] = 0;
  }
}

void assign_indices(NewIndices& used) {
  std::size_t next = 0;
  for (auto& [file_index, number] : used) number = next++;
}

Renumbering renumber(const AssetMaterials& source, std::span<const MeshMaterials* const> meshes) {
  Renumbering used;
  for (const MeshMaterials* mesh : meshes) {
    for (const PrimitiveMaterials& primitive : mesh->primitives) {
      if (primitive.material >= 0) used.materials[static_cast<std::size_t>(primitive.material)] = 0;
    }
  }
  for (const auto& [m, ignored] : used.materials) {
    add_references(source.materials[m], Array::kTexture, used.textures);
  }
  for (const auto& [t, ignored] : used.textures) {
    add_references(source.textures[t], Array::kSampler, used.samplers);
    add_references(source.textures[t], Array::kImage, used.images);
  }
  for (NewIndices* numbers : {&used.materials, &used.textures, &used.samplers, &used.images}) {
    assign_indices(*numbers);
  }
  return used;
}

// The template's text with the new indices. The indices of texture coordinate sets do not change.
std::string renumbered_text(const JsonTemplate& source, const Renumbering& numbers) {
  std::string text = source.texts.front();
  for (std::size_t i = 0; i < source.references.size(); ++i) {
    const auto& [array, index] = source.references[i];
    if (array == Array::kTexcoord) {
      text += std::to_string(index) + source.texts[i + 1];
      continue;
    }
    const NewIndices& of_array = array == Array::kTexture   ? numbers.textures
                                 : array == Array::kSampler ? numbers.samplers
                                                            : numbers.images;
    text += std::to_string(of_array.at(index)) + source.texts[i + 1];
  }
  return text;
}

}  // namespace

GlbMaterials collect_materials(const AssetMaterials& source,
                               std::span<const MeshMaterials* const> meshes) {
  const Renumbering numbers = renumber(source, meshes);
  GlbMaterials used;
  std::set<std::string> extensions;
  const auto append = [&](const JsonTemplate& element, std::vector<std::string>& array) {
    array.push_back(renumbered_text(element, numbers));
    extensions.insert(element.extensions.begin(), element.extensions.end());
  };
  for (const auto& [m, number] : numbers.materials) {
    used.material_numbers[static_cast<int>(m)] = static_cast<int>(number);
    append(source.materials[m], used.materials);
  }
  for (const auto& [t, ignored] : numbers.textures) append(source.textures[t], used.textures);
  for (const auto& [s, ignored] : numbers.samplers) used.samplers.push_back(source.samplers[s]);
  for (const auto& [i, ignored] : numbers.images) used.images.push_back(source.images[i]);
  used.extensions_used.assign(extensions.begin(), extensions.end());
  std::set_intersection(extensions.begin(), extensions.end(), source.extensions_required.begin(),
                        source.extensions_required.end(),
                        std::back_inserter(used.extensions_required));
  return used;
}

}  // namespace skinbake
