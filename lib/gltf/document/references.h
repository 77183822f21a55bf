// The references between the elements of a document, which may be const. Files are untrusted, so
// members of another type are skipped.

#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace skinbake::gltf {

inline constexpr const char* kGpuInstancing = "EXT_mesh_gpu_instancing";
inline constexpr const char* kDraco = "KHR_draco_mesh_compression";

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

// Whether a member of a material refers to a texture, by the naming of the specification and of its
// extensions.
template <class Json>
bool is_texture_info(std::string_view name, const Json& value) {
  return value.is_object() && (name.ends_with("Texture") || name == "texture");
}

// Calls use(info) with each texture info of a material: the object that has the index of a texture.
template <class Json, class Use>
void visit_texture_infos(Json& value, const Use& use) {
  if (value.is_array()) {
    for (Json& element : value) visit_texture_infos(element, use);
  }
  if (!value.is_object()) return;
  for (auto member = value.begin(); member != value.end(); ++member) {
    if (is_texture_info(member.key(), *member)) {
      use(*member);
    } else if (member.key() != "extras") {
      visit_texture_infos(*member, use);
    }
  }
}

// Calls use(set) with each set of texture coordinates that a material names.
template <class Json, class Use>
void visit_texcoord_uses(Json& material, const Use& use) {
  visit_texture_infos(material, [&](Json& info) {
    visit(info, "texCoord", use);
    visit_extension(info, "KHR_texture_transform",
                    [&](Json& transform) { visit(transform, "texCoord", use); });
  });
}

// Calls use(index) with each image of a texture, also of another format.
template <class Json, class Use>
void visit_sources(Json& texture, const Use& use) {
  visit(texture, "source", use);
  visit_each(texture, "extensions", [&](Json& extension) { visit(extension, "source", use); });
}

}  // namespace skinbake::gltf
