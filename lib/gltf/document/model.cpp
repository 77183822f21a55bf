#include "gltf/document/model.h"

#include <tiny_gltf.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "gltf/document/message_text.h"
#include "json/print.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

// tinygltf drops channels without a node.
void number_missing_nodes(json& document) {
  if (!document.contains("animations")) return;
  for (json& animation : document["animations"]) {
    for (json& channel : animation["channels"]) {
      if (!channel["target"].contains("node")) channel["target"]["node"] = -1;
    }
  }
}

// tinygltf refuses indices without a bufferView, which sparse accessors may have. Accessors without
// a view get an additional, empty view. Returns its number.
int number_missing_views(json& document) {
  json& views = document["bufferViews"];
  if (!views.is_array()) views = json::array();
  const int added = static_cast<int>(views.size());
  views.push_back({{"buffer", 0}, {"byteLength", 0}});
  if (!document.contains("accessors")) return added;
  for (json& accessor : document["accessors"]) {
    if (!accessor.contains("bufferView")) accessor["bufferView"] = added;
  }
  return added;
}

// tinygltf gets a document without images and buffers, so that it decodes nothing and opens no
// file; the callbacks enforce it.
tinygltf::Model parse(json document, const std::string& path) {
  tinygltf::TinyGLTF parser;
  parser.SetImageLoader([](tinygltf::Image*, int, std::string*, std::string*, int, int,
                           const unsigned char*, int, void*) { return true; },
                        nullptr);
  tinygltf::FsCallbacks no_files{};
  no_files.FileExists = [](const std::string&, void*) { return false; };
  no_files.ExpandFilePath = [](const std::string& file, void*) { return file; };
  no_files.ReadWholeFile = [](std::vector<unsigned char>*, std::string*, const std::string&,
                              void*) { return false; };
  no_files.WriteWholeFile = [](std::string*, const std::string&, const std::vector<unsigned char>&,
                               void*) { return false; };
  parser.SetFsCallbacks(no_files);

  const std::string text = dumped(document);
  document = nullptr;  // frees it before tinygltf builds its own
  tinygltf::Model model;
  std::string error, warning;
  if (!parser.LoadASCIIFromString(&model, &error, &warning, text.c_str(),
                                  static_cast<unsigned int>(text.size()), "",
                                  tinygltf::NO_REQUIRE)) {
    std::replace(error.begin(), error.end(), '\n', ' ');
    fail_at("GLTF_INVALID", path, {"the file", ""}, "cannot be read: " + error);
  }
  return model;
}

AccessorType accessor_type(int type) {
  switch (type) {
    case TINYGLTF_TYPE_VEC2:
      return AccessorType::kVec2;
    case TINYGLTF_TYPE_VEC3:
      return AccessorType::kVec3;
    case TINYGLTF_TYPE_VEC4:
      return AccessorType::kVec4;
    case TINYGLTF_TYPE_MAT2:
      return AccessorType::kMat2;
    case TINYGLTF_TYPE_MAT3:
      return AccessorType::kMat3;
    case TINYGLTF_TYPE_MAT4:
      return AccessorType::kMat4;
    default:
      return AccessorType::kScalar;
  }
}

Model::BufferView convert(tinygltf::BufferView& view) {
  return {view.buffer, view.byteOffset, view.byteLength, view.byteStride};
}

Model::Accessor convert(tinygltf::Accessor& source) {
  Model::Accessor accessor;
  accessor.buffer_view = source.bufferView;
  accessor.byte_offset = source.byteOffset;
  accessor.component_type = static_cast<ComponentType>(source.componentType);
  accessor.type = accessor_type(source.type);
  accessor.normalized = source.normalized;
  accessor.count = source.count;
  if (!source.sparse.isSparse) return accessor;
  const auto& from = source.sparse;
  Model::Sparse& sparse = accessor.sparse;
  sparse.count = static_cast<std::size_t>(from.count);
  sparse.indices = {from.indices.bufferView, static_cast<std::size_t>(from.indices.byteOffset),
                    static_cast<ComponentType>(from.indices.componentType)};
  sparse.values = {from.values.bufferView, static_cast<std::size_t>(from.values.byteOffset)};
  return accessor;
}

Model::Primitive convert(tinygltf::Primitive& source) {
  return {std::move(source.attributes), source.indices, source.mode, std::move(source.targets)};
}

Model::Node convert(tinygltf::Node& source) {
  return {std::move(source.name),
          source.mesh,
          source.skin,
          std::move(source.children),
          std::move(source.matrix),
          std::move(source.translation),
          std::move(source.rotation),
          std::move(source.scale),
          std::move(source.weights)};
}

Model::Skin convert(tinygltf::Skin& source) {
  return {std::move(source.name), std::move(source.joints), source.inverseBindMatrices};
}

Model::Scene convert(tinygltf::Scene& source) {
  return {std::move(source.name), std::move(source.nodes)};
}

Model::Channel convert(tinygltf::AnimationChannel& source) {
  return {source.sampler, source.target_node, std::move(source.target_path)};
}

Model::Sampler convert(tinygltf::AnimationSampler& source) {
  return {source.input, source.output, std::move(source.interpolation)};
}

Model::Mesh convert(tinygltf::Mesh& source);
Model::Animation convert(tinygltf::Animation& source);

// Converts all elements and frees their sources.
template <class To, class From>
std::vector<To> convert_all(std::vector<From>& sources) {
  std::vector<To> elements;
  elements.reserve(sources.size());
  for (From& source : sources) elements.push_back(convert(source));
  sources = {};
  return elements;
}

Model::Mesh convert(tinygltf::Mesh& source) {
  return {std::move(source.name), convert_all<Model::Primitive>(source.primitives),
          std::move(source.weights)};
}

Model::Animation convert(tinygltf::Animation& source) {
  return {std::move(source.name), convert_all<Model::Channel>(source.channels),
          convert_all<Model::Sampler>(source.samplers)};
}

}  // namespace

Model parse_model(json checked, const std::string& path) {
  checked.erase("buffers");
  number_missing_nodes(checked);
  const int no_view = number_missing_views(checked);
  tinygltf::Model parsed = parse(std::move(checked), path);
  Model model;
  model.generator = std::move(parsed.asset.generator);
  model.extensions_used = std::move(parsed.extensionsUsed);
  model.extensions_required = std::move(parsed.extensionsRequired);
  model.buffer_views = convert_all<Model::BufferView>(parsed.bufferViews);
  model.buffer_views.resize(static_cast<std::size_t>(no_view));
  model.accessors = convert_all<Model::Accessor>(parsed.accessors);
  for (Model::Accessor& accessor : model.accessors) {
    if (accessor.buffer_view == no_view) accessor.buffer_view = -1;
  }
  model.meshes = convert_all<Model::Mesh>(parsed.meshes);
  model.nodes = convert_all<Model::Node>(parsed.nodes);
  model.skins = convert_all<Model::Skin>(parsed.skins);
  model.scenes = convert_all<Model::Scene>(parsed.scenes);
  model.animations = convert_all<Model::Animation>(parsed.animations);
  model.default_scene = parsed.defaultScene;
  return model;
}

}  // namespace skinbake::gltf
