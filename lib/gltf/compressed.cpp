#include "gltf/compressed.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace skinbake::gltf {

namespace {

using nlohmann::json;

constexpr const char* kExtensions = "extensions";

// Calls visit(index, element) for each element of a member that is an array, or missing.
template <class Visit>
void for_each_element(json& object, const char* member, const Visit& visit) {
  const auto found = object.find(member);
  if (found == object.end()) return;
  int index = 0;
  for (json& element : *found) visit(index++, element);
}

// What an object's extension says, which is then taken away with all others; null: nothing.
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
  MeshoptView& packed = document.meshopt_views[index];
  packed.extension = extension["name"].get<std::string>();
  packed.buffer = extension["buffer"].get<std::size_t>();
  packed.byte_offset = extension.value("byteOffset", std::uint64_t{0});
  packed.byte_length = extension["byteLength"].get<std::uint64_t>();
  packed.byte_stride = extension["byteStride"].get<std::uint64_t>();
  packed.count = extension["count"].get<std::uint64_t>();
  packed.mode = extension["mode"].get<std::string>();
  packed.filter = extension.value("filter", "NONE");
}

void take_primitive(std::pair<int, int> place, json& primitive, Document& document) {
  const json extension = take_extension(primitive, {"KHR_draco_mesh_compression"});
  if (extension.is_null()) return;
  DracoPrimitive& packed = document.draco_primitives[place];
  packed.view = extension["bufferView"].get<int>();
  for (const auto& [name, id] : extension["attributes"].items()) {
    packed.attributes[name] = id.get<std::uint32_t>();
  }
}

}  // namespace

void take_extensions(json& shaped, Document& document) {
  for_each_element(shaped, "bufferViews", [&](int v, json& view) { take_view(v, view, document); });
  for_each_element(shaped, "meshes", [&](int m, json& mesh) {
    for_each_element(mesh, "primitives", [&](int p, json& primitive) {
      take_primitive({m, p}, primitive, document);
    });
  });
  for_each_element(shaped, "animations", [&](int a, json& animation) {
    for_each_element(animation, "channels", [&](int c, json& channel) {
      const json pointer = take_extension(channel["target"], {"KHR_animation_pointer"});
      if (!pointer.is_null()) {
        document.animation_pointers[{a, c}] = pointer["pointer"].get<std::string>();
      }
    });
  });
}

ByteSpan checked_range(const Document& document, std::size_t buffer, std::uint64_t offset,
                       std::uint64_t length, const std::string& what, const Element& element) {
  const ByteSpan bytes = document.buffers[buffer];
  if (offset > bytes.size() || length > bytes.size() - offset) {
    document.fail("BUFFER_VIEW_OUT_OF_RANGE", element,
                  "uses " + what + ", which ends past its buffer; re-export the file");
  }
  return bytes.subspan(offset, length);
}

ByteSpan view_bytes(Document& document, int view, const Element& element) {
  const std::string name = "bufferView " + std::to_string(view);
  const auto packed = document.meshopt_views.find(view);
  if (packed == document.meshopt_views.end()) {
    const auto& plain = document.model.bufferViews[static_cast<std::size_t>(view)];
    return checked_range(document, static_cast<std::size_t>(plain.buffer), plain.byteOffset,
                         plain.byteLength, name, element);
  }
  MeshoptView& source = packed->second;
  if (source.is_decoded) return source.decoded;
  const Element where{name,
                      "/bufferViews/" + std::to_string(view) + "/extensions/" + source.extension};
  const ByteSpan bytes = checked_range(document, source.buffer, source.byte_offset,
                                       source.byte_length, "compressed bytes", where);
  document.storage.push_back(decode_meshopt(document, source, bytes, where));
  source.decoded = {document.storage.back().data(), document.storage.back().size()};
  source.is_decoded = true;
  return source.decoded;
}

}  // namespace skinbake::gltf
