#include "gltf/looks.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace skinbake::gltf {

namespace {

using nlohmann::json;

std::set<int> used_materials(const AssetExtras& extras) {
  std::set<int> used;
  for (const auto& [node, mesh] : extras.meshes) {
    for (const PrimitiveExtras& primitive : mesh->primitives) {
      if (primitive.material >= 0) used.insert(primitive.material);
    }
  }
  return used;
}

}  // namespace

std::shared_ptr<const json> take_looks(json& source) {
  auto looks = std::make_shared<json>(json::object());
  for (const char* name : {"asset", "materials", "textures", "samplers", "images", "meshes"}) {
    const auto found = source.find(name);
    if (found != source.end()) (*looks)[name] = std::move(*found);
  }
  return looks;
}

const json& looks_array(const Document& document, const char* name) {
  static const json nothing = json::array();
  const auto found = document.looks->find(name);
  return found == document.looks->end() || !found->is_array() ? nothing : *found;
}

std::shared_ptr<const AssetExtras> load_extras(Document& document, const std::vector<Rig>& rigs) {
  auto extras = std::make_shared<AssetExtras>();
  if (const auto text = document.looks->at("asset").find("copyright");
      text != document.looks->at("asset").end() && text->is_string()) {
    extras->copyright = text->get<std::string>();
  }
  extras->extensions_required = document.model.extensionsRequired;
  std::sort(extras->extensions_required.begin(), extras->extensions_required.end());
  std::map<int, std::shared_ptr<const MeshExtras>> loaded;
  for (const Rig& rig : rigs) {
    const int mesh = document.model.nodes[static_cast<std::size_t>(rig.node)].mesh;
    std::shared_ptr<const MeshExtras>& of_mesh = loaded[mesh];
    if (!of_mesh) {
      of_mesh = std::make_shared<MeshExtras>(load_mesh_extras(document, mesh, *rig.mesh));
    }
    extras->meshes[rig.node] = of_mesh;
  }
  load_materials(document, used_materials(*extras), *extras);
  return extras;
}

}  // namespace skinbake::gltf
