#include "gltf/write/own_elements.h"

#include <utility>

#include "gltf/document/json_member.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

// VRM 0.x names meshes, not nodes. What it says about a mesh is said about its copy too.
void copy_vrm_entries(json& entries, std::size_t mesh, std::size_t copy) {
  if (!entries.is_array()) return;
  const std::size_t count = entries.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (member(entries[i], "mesh") != mesh) continue;
    json entry = entries[i];
    entry["mesh"] = copy;
    entries.push_back(std::move(entry));
  }
}

json* find_member(json* object, const char* name) {
  if (object == nullptr || !object->is_object()) return nullptr;
  const auto found = object->find(name);
  return found == object->end() ? nullptr : &*found;
}

void follow_in_vrm(EditedDocument& document, std::size_t mesh, std::size_t copy) {
  if (!member(member(document.current(), "extensions"), "VRM").is_object()) return;
  json* const vrm = find_member(&document.member("extensions"), "VRM");
  json* const groups = find_member(find_member(vrm, "blendShapeMaster"), "blendShapeGroups");
  if (groups != nullptr && groups->is_array()) {
    for (json& group : *groups) {
      if (json* const binds = find_member(&group, "binds")) copy_vrm_entries(*binds, mesh, copy);
    }
  }
  json* const views = find_member(find_member(vrm, "firstPerson"), "meshAnnotations");
  if (views != nullptr) copy_vrm_entries(*views, mesh, copy);
}

// `kind`: the member of a node; `list`: the array of the document that it is an index of.
std::size_t own_element(DocumentWriter& writer, std::size_t node, const char* kind,
                        const char* list) {
  EditedDocument& document = writer.document();
  const auto index = writer.current()["nodes"][node].at(kind).get<std::size_t>();
  if (document.users(kind, index) == 1) return index;
  const std::size_t copy = document.append(list, writer.current()[list][index]);
  document.replace_use(kind, node, copy);
  return copy;
}

void erase_compressed(json& primitive, const std::string& name) {
  const auto extensions = primitive.find("extensions");
  if (extensions == primitive.end()) return;
  const auto draco = extensions->find("KHR_draco_mesh_compression");
  if (draco != extensions->end()) (*draco)["attributes"].erase(name);
}

}  // namespace

std::size_t own_mesh(DocumentWriter& writer, std::size_t node) {
  const std::size_t before = writer.current()["nodes"][node].at("mesh").get<std::size_t>();
  const std::size_t mesh = own_element(writer, node, "mesh", "meshes");
  if (mesh != before) follow_in_vrm(writer.document(), before, mesh);
  return mesh;
}

std::size_t own_skin(DocumentWriter& writer, std::size_t node) {
  return own_element(writer, node, "skin", "skins");
}

void replace_attribute(json& primitive, const std::string& name, std::size_t accessor) {
  primitive["attributes"][name] = accessor;
  erase_compressed(primitive, name);
}

void erase_attribute(json& primitive, const std::string& name) {
  primitive["attributes"].erase(name);
  erase_compressed(primitive, name);
}

}  // namespace skinbake::gltf
