#include "gltf/write/own_elements.h"

#include <utility>

#include "gltf/document/json_member.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

// `kind`: the member of a node; `list`: the array of the document that it is an index of.
std::size_t own_element(DocumentWriter& writer, std::size_t node, const char* kind,
                        const char* list) {
  json& nodes = writer.document()["nodes"];
  const json index = nodes[node].at(kind);
  std::size_t users = 0;
  for (const json& other : nodes) users += member(other, kind) == index;
  if (users == 1) return index.get<std::size_t>();
  json& elements = writer.array(list);
  json copy = elements[index.get<std::size_t>()];
  elements.push_back(std::move(copy));
  nodes[node][kind] = elements.size() - 1;
  return elements.size() - 1;
}

void erase_compressed(json& primitive, const std::string& name) {
  const auto extensions = primitive.find("extensions");
  if (extensions == primitive.end()) return;
  const auto draco = extensions->find("KHR_draco_mesh_compression");
  if (draco != extensions->end()) (*draco)["attributes"].erase(name);
}

}  // namespace

std::size_t own_mesh(DocumentWriter& writer, std::size_t node) {
  return own_element(writer, node, "mesh", "meshes");
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
