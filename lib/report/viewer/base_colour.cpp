// Khronos Group. glTF 2.0 specification, 3.9: pbrMetallicRoughness.baseColorFactor and
// baseColorTexture. KHR_texture_transform: the texture coordinates are scaled, then turned by
// `rotation` about the origin, then moved by `offset`:
//
//     u' =  cos r sx u + sin r sy v + ox
//     v' = -sin r sx u + cos r sy v + oy
//
// The signs are those of the extension's example, whose rotation of 90 degrees stays in the image.

#include "report/viewer/base_colour.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "math/scalar.h"

namespace skinbake {

namespace {

using Json = nlohmann::json;

// The element with the indices of the file.
Json element_of(const JsonTemplate& source) {
  std::string text;
  for (std::size_t i = 0; i < source.texts.size(); ++i) {
    if (i > 0) text += std::to_string(source.references[i - 1].index);
    text += source.texts[i];
  }
  return Json::parse(text, nullptr, false);
}

// The member of an object; null if there is none.
const Json& member(const Json& object, const char* name) {
  static const Json nothing;
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found == object.end() ? nothing : *found;
}

double number_or(const Json& value, double otherwise) {
  const double number = value.is_number() ? value.get<double>() : otherwise;
  return std::isfinite(number) ? number : otherwise;
}

// An index below `count`, or `otherwise`.
int index_or(const Json& value, std::size_t count, int otherwise) {
  const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() < count;
  return fits ? value.get<int>() : otherwise;
}

template <std::size_t kCount>
std::array<double, kCount> numbers_or(const Json& value, std::array<double, kCount> numbers) {
  if (!value.is_array() || value.size() != kCount) return numbers;
  for (std::size_t i = 0; i < kCount; ++i) numbers[i] = number_or(value[i], numbers[i]);
  return numbers;
}

std::array<double, 6> transform_of(const Json& extension) {
  const auto [sx, sy] = numbers_or<2>(member(extension, "scale"), {1, 1});
  const auto [ox, oy] = numbers_or<2>(member(extension, "offset"), {0, 0});
  const double angle = number_or(member(extension, "rotation"), 0);
  // A file may contain any number; sin_cos() takes angles of a few turns.
  const auto [s, c] = sin_cos(std::remainder(angle, 2 * std::numbers::pi));
  return {c * sx, s * sy, ox, -s * sx, c * sy, oy};
}

void read_sampler(const Json& sampler, ViewMaterial& material) {
  constexpr int kNearest = 9728, kClamp = 33071, kMirror = 33648;
  const std::array wraps{&member(sampler, "wrapS"), &member(sampler, "wrapT")};
  for (std::size_t i = 0; i < wraps.size(); ++i) {
    for (const int known : {kClamp, kMirror}) {
      if (*wraps[i] == known) material.wrap[i] = known;
    }
  }
  material.is_nearest = member(sampler, "magFilter") == kNearest;
}

// Sets of texture coordinates beyond these are not searched for.
constexpr std::size_t kMostSets = 64;

void read_texture(const AssetMaterials& materials, const Json& info, BaseColour& colour) {
  const int number = index_or(member(info, "index"), materials.textures.size(), -1);
  if (number < 0) return;
  const Json texture = element_of(materials.textures[static_cast<std::size_t>(number)]);
  colour.material.image = index_or(member(texture, "source"), materials.images.size(), -1);
  colour.has_other_image = colour.material.image < 0 && texture.contains("extensions");
  const int sampler = index_or(member(texture, "sampler"), materials.samplers.size(), -1);
  if (sampler >= 0) {
    read_sampler(Json::parse(materials.samplers[static_cast<std::size_t>(sampler)], nullptr, false),
                 colour.material);
  }
  const Json& transform = member(member(info, "extensions"), "KHR_texture_transform");
  colour.set = index_or(member(info, "texCoord"), kMostSets, 0);
  colour.set = index_or(member(transform, "texCoord"), kMostSets, colour.set);
  colour.transform = transform_of(transform);
}

}  // namespace

BaseColour base_colour_of(const AssetMaterials& materials, int material) {
  BaseColour colour;
  const auto number = static_cast<std::size_t>(material);
  if (material < 0 || number >= materials.materials.size()) return colour;
  const Json source = element_of(materials.materials[number]);
  const Json& pbr = member(source, "pbrMetallicRoughness");
  ViewMaterial& shown = colour.material;
  shown.colour = numbers_or<4>(member(pbr, "baseColorFactor"), shown.colour);
  for (double& part : shown.colour) part = std::clamp(part, 0.0, 1.0);
  for (const char* mode : {"MASK", "BLEND"}) {
    if (member(source, "alphaMode") == mode) shown.alpha_mode = mode;
  }
  shown.alpha_cutoff = std::clamp(number_or(member(source, "alphaCutoff"), 0.5), 0.0, 1.0);
  shown.is_unlit = !member(member(source, "extensions"), "KHR_materials_unlit").is_null();
  read_texture(materials, member(pbr, "baseColorTexture"), colour);
  return colour;
}

}  // namespace skinbake
