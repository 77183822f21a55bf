#include "gltf/schema.h"

namespace skinbake::gltf {

namespace {

constexpr Member kAssetShape[] = {
    {"version", Kind::kText, true}, {"minVersion", Kind::kText}, {"generator", Kind::kText}};
constexpr Member kFallbackShape[] = {{"fallback", Kind::kFlag}};
constexpr Member kBufferExtensionsShape[] = {
    {"EXT_meshopt_compression", Kind::kObject, false, nullptr, 0, kFallbackShape},
    {"KHR_meshopt_compression", Kind::kObject, false, nullptr, 0, kFallbackShape}};
constexpr Member kBufferShape[] = {
    {"byteLength", Kind::kCount, true},
    {"uri", Kind::kText},
    {"name", Kind::kText},
    {"extensions", Kind::kObject, false, nullptr, 0, kBufferExtensionsShape}};
constexpr Member kMeshoptShape[] = {{"buffer", Kind::kIndex, true, "buffers"},
                                    {"byteOffset", Kind::kCount},
                                    {"byteLength", Kind::kCount, true},
                                    {"byteStride", Kind::kCount, true},
                                    {"count", Kind::kCount, true},
                                    {"mode", Kind::kText, true},
                                    {"filter", Kind::kText}};
constexpr Member kViewExtensionsShape[] = {
    {"EXT_meshopt_compression", Kind::kObject, false, nullptr, 0, kMeshoptShape},
    {"KHR_meshopt_compression", Kind::kObject, false, nullptr, 0, kMeshoptShape}};
constexpr Member kViewShape[] = {
    {"buffer", Kind::kIndex, true, "buffers"},
    {"byteOffset", Kind::kCount},
    {"byteLength", Kind::kCount, true},
    {"byteStride", Kind::kCount},
    {"extensions", Kind::kObject, false, nullptr, 0, kViewExtensionsShape}};
constexpr Member kSparseIndicesShape[] = {{"bufferView", Kind::kIndex, true, "bufferViews"},
                                          {"byteOffset", Kind::kInt},
                                          {"componentType", Kind::kInt, true}};
constexpr Member kSparseValuesShape[] = {{"bufferView", Kind::kIndex, true, "bufferViews"},
                                         {"byteOffset", Kind::kInt}};
constexpr Member kSparseShape[] = {
    {"count", Kind::kInt, true},
    {"indices", Kind::kObject, true, nullptr, 0, kSparseIndicesShape},
    {"values", Kind::kObject, true, nullptr, 0, kSparseValuesShape}};
constexpr Member kAccessorShape[] = {{"bufferView", Kind::kIndex, false, "bufferViews"},
                                     {"byteOffset", Kind::kCount},
                                     {"componentType", Kind::kInt, true},
                                     {"normalized", Kind::kFlag},
                                     {"count", Kind::kCount, true},
                                     {"type", Kind::kText, true},
                                     {"sparse", Kind::kObject, false, nullptr, 0, kSparseShape}};
constexpr Member kDracoShape[] = {{"bufferView", Kind::kIndex, true, "bufferViews"},
                                  {"attributes", Kind::kNumbered, true}};
constexpr Member kPrimitiveExtensionsShape[] = {
    {"KHR_draco_mesh_compression", Kind::kObject, false, nullptr, 0, kDracoShape}};
constexpr Member kPrimitiveShape[] = {
    {"attributes", Kind::kAttributes, true},
    {"indices", Kind::kIndex, false, "accessors"},
    {"mode", Kind::kInt},
    {"targets", Kind::kTargets},
    {"extensions", Kind::kObject, false, nullptr, 0, kPrimitiveExtensionsShape}};
constexpr Member kMeshShape[] = {{"name", Kind::kText},
                                 {"primitives", Kind::kObjects, true, nullptr, 0, kPrimitiveShape},
                                 {"weights", Kind::kNumbers}};
constexpr Member kNodeShape[] = {{"name", Kind::kText},
                                 {"children", Kind::kIndices, false, "nodes"},
                                 {"mesh", Kind::kIndex, false, "meshes"},
                                 {"skin", Kind::kIndex, false, "skins"},
                                 {"matrix", Kind::kNumbers, false, nullptr, 16},
                                 {"translation", Kind::kNumbers, false, nullptr, 3},
                                 {"rotation", Kind::kNumbers, false, nullptr, 4},
                                 {"scale", Kind::kNumbers, false, nullptr, 3},
                                 {"weights", Kind::kNumbers}};
constexpr Member kSceneShape[] = {{"name", Kind::kText}, {"nodes", Kind::kIndices, false, "nodes"}};
constexpr Member kSkinShape[] = {{"name", Kind::kText},
                                 {"joints", Kind::kIndices, true, "nodes"},
                                 {"inverseBindMatrices", Kind::kIndex, false, "accessors"},
                                 {"skeleton", Kind::kHint, false, "nodes"}};
constexpr Member kPointerShape[] = {{"pointer", Kind::kText, true}};
constexpr Member kTargetExtensionsShape[] = {
    {"KHR_animation_pointer", Kind::kObject, false, nullptr, 0, kPointerShape}};
constexpr Member kTargetShape[] = {
    {"node", Kind::kIndex, false, "nodes"},
    {"path", Kind::kText, true},
    {"extensions", Kind::kObject, false, nullptr, 0, kTargetExtensionsShape}};
constexpr Member kChannelShape[] = {{"sampler", Kind::kInt, true},
                                    {"target", Kind::kObject, true, nullptr, 0, kTargetShape}};
constexpr Member kSamplerShape[] = {{"input", Kind::kIndex, true, "accessors"},
                                    {"output", Kind::kIndex, true, "accessors"},
                                    {"interpolation", Kind::kText}};
constexpr Member kAnimationShape[] = {
    {"name", Kind::kText},
    {"channels", Kind::kObjects, true, nullptr, 0, kChannelShape},
    {"samplers", Kind::kObjects, true, nullptr, 0, kSamplerShape}};
constexpr Member kRootShape[] = {{"asset", Kind::kObject, true, nullptr, 0, kAssetShape},
                                 {"extensionsUsed", Kind::kTexts},
                                 {"extensionsRequired", Kind::kTexts},
                                 {"buffers", Kind::kObjects, false, nullptr, 0, kBufferShape},
                                 {"bufferViews", Kind::kObjects, false, nullptr, 0, kViewShape},
                                 {"accessors", Kind::kObjects, false, nullptr, 0, kAccessorShape},
                                 {"meshes", Kind::kObjects, false, nullptr, 0, kMeshShape},
                                 {"nodes", Kind::kObjects, false, nullptr, 0, kNodeShape},
                                 {"skins", Kind::kObjects, false, nullptr, 0, kSkinShape},
                                 {"animations", Kind::kObjects, false, nullptr, 0, kAnimationShape},
                                 {"scenes", Kind::kObjects, false, nullptr, 0, kSceneShape},
                                 {"scene", Kind::kIndex, false, "scenes"}};

}  // namespace

std::span<const Member> root_shape() {
  return kRootShape;
}

std::span<const Member> asset_shape() {
  return kAssetShape;
}

bool is_attribute_set(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  constexpr std::size_t kMostDigits = 9;
  for (const std::string_view prefix : prefixes) {
    if (!name.starts_with(prefix)) continue;
    const std::string_view number = name.substr(prefix.size());
    return !number.empty() && number.size() <= kMostDigits &&
           number.find_first_not_of("0123456789") == number.npos &&
           (number[0] != '0' || number.size() == 1);
  }
  return false;
}

}  // namespace skinbake::gltf
