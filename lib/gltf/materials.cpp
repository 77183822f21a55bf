// Materials and textures as JSON whose references can be numbered anew.
//
// A texture whose images are all missing is left out of materials: readers expect one to have an
// image.
//
// What a material refers to follows the specification's own naming: an object under a name that
// ends in "Texture" has the number of a texture in "index". A texture has a "sampler" and a
// "source", and so do the extensions that give it an image of another format.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "gltf/looks.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;
using Array = JsonTemplate::Array;

// Extensions of materials and textures that refer to nothing but textures and images.
constexpr std::array<std::string_view, 7> kKept{
    "KHR_materials_", "KHR_texture_",     "EXT_materials_", "EXT_texture_",
    "MSFT_texture_",  "ADOBE_materials_", "ADOBE_texture_"};

bool is_kept(std::string_view extension) {
  return std::any_of(kKept.begin(), kKept.end(),
                     [&](std::string_view prefix) { return extension.starts_with(prefix); });
}

const json& array_of(const Document& document, Array array) {
  return looks_array(document, array == Array::kTexture   ? "textures"
                               : array == Array::kSampler ? "samplers"
                                                          : "images");
}

// What cannot be had, and is therefore not referred to.
struct Missing {
  std::set<std::size_t> images, textures;
};

class TemplateMaker {
 public:
  enum class Place { kMaterial, kTextureInfo, kTextureTransform, kTexture, kOther };

  TemplateMaker(const Document& document, const Missing& missing, Element element)
      : document_(document), missing_(missing), element_(std::move(element)) {}

  JsonTemplate make(const json& source, Place place) {
    if (!source.is_object()) {
      document_.fail("SCHEMA_VIOLATION", element_, "is not an object; re-export the file");
    }
    result_.texts.emplace_back();
    write(source, place);
    auto& names = result_.extensions;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return std::move(result_);
  }

 private:
  void write(const json& value, Place place) {
    if (value.is_object()) return write_object(value, place);
    if (!value.is_array()) {
      text() += value.dump();
      return;
    }
    text() += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i > 0) text() += ", ";
      write(value[i], place);
    }
    text() += ']';
  }

  void write_object(const json& object, Place place) {
    text() += '{';
    bool first = true;
    for (const auto& [name, value] : object.items()) {
      if (is_left_out(name, value, place)) continue;
      if (!first) text() += ", ";
      first = false;
      text() += json(name).dump() + ": ";
      write_member(name, value, place);
    }
    text() += '}';
  }

  void write_member(const std::string& name, const json& value, Place place) {
    if (name == "extras" || place == Place::kOther) return write(value, Place::kOther);
    const bool has_texcoord = place == Place::kTextureInfo || place == Place::kTextureTransform;
    if (has_texcoord && name == "texCoord") return refer_to_texcoord(value);
    if (name == "extensions") return write_extensions(value, place);
    if (place == Place::kTextureInfo && name == "index") return refer(Array::kTexture, value);
    if (place == Place::kTexture && name == "sampler") return refer(Array::kSampler, value);
    if (place == Place::kTexture && name == "source") return refer(Array::kImage, value);
    write(value, is_info(name, value, place) ? Place::kTextureInfo : place);
  }

  static bool is_info(const std::string& name, const json& value, Place place) {
    return place == Place::kMaterial && value.is_object() &&
           (name.ends_with("Texture") || name == "texture");
  }

  bool is_left_out(const std::string& name, const json& value, Place place) const {
    if (name == "extensions") return !has_kept(value, place);
    if (is_info(name, value, place)) return names_one_of(value, "index", missing_.textures);
    return place == Place::kTexture && name == "source" && is_one_of(value, missing_.images);
  }

  static bool is_one_of(const json& number, const std::set<std::size_t>& numbers) {
    return number.is_number_unsigned() && numbers.contains(number.get<std::size_t>());
  }

  static bool names_one_of(const json& object, const char* member,
                           const std::set<std::size_t>& numbers) {
    const auto found = object.is_object() ? object.find(member) : object.end();
    return found != object.end() && is_one_of(*found, numbers);
  }

  bool keeps(const std::string& extension, const json& value, Place place) const {
    return is_kept(extension) &&
           !(place == Place::kTexture && names_one_of(value, "source", missing_.images));
  }

  bool has_kept(const json& extensions, Place place) const {
    if (!extensions.is_object()) return false;
    const auto items = extensions.items();
    return std::any_of(items.begin(), items.end(),
                       [&](const auto& item) { return keeps(item.key(), item.value(), place); });
  }

  void write_extensions(const json& extensions, Place place) {
    text() += '{';
    bool first = true;
    for (const auto& [name, value] : extensions.items()) {
      if (!keeps(name, value, place)) continue;
      if (!first) text() += ", ";
      first = false;
      result_.extensions.push_back(name);
      text() += json(name).dump() + ": ";
      write(value, name == "KHR_texture_transform" ? Place::kTextureTransform
                   : place == Place::kTextureInfo  ? Place::kOther
                                                   : place);
    }
    text() += '}';
  }

  void refer_to_texcoord(const json& value) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMost) {
      return write(value, Place::kOther);  // as it is
    }
    result_.references.push_back({Array::kTexcoord, value.get<std::size_t>()});
    result_.texts.emplace_back();
  }

  void refer(Array array, const json& value) {
    const std::size_t count = array_of(document_, array).size();
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= count) {
      document_.fail("REFERENCE_INVALID", element_,
                     "names a texture, sampler or image that does not exist; re-export the file");
    }
    result_.references.push_back({array, value.get<std::size_t>()});
    result_.texts.emplace_back();
  }

  std::string& text() { return result_.texts.back(); }

  const Document& document_;
  const Missing& missing_;
  Element element_;
  JsonTemplate result_;
};

std::set<std::size_t> references(const std::vector<JsonTemplate>& templates, Array array) {
  std::set<std::size_t> numbers;
  for (const JsonTemplate& from : templates) {
    for (const JsonTemplate::Reference& reference : from.references) {
      if (reference.array == array) numbers.insert(reference.index);
    }
  }
  return numbers;
}

// Templates of some elements of an array; the others stay empty.
template <class Numbers>
std::vector<JsonTemplate> make_templates(const Document& document, const Missing& missing,
                                         const char* kind, const Numbers& numbers) {
  using Place = TemplateMaker::Place;
  const std::string array = std::string(kind) + "s";
  const json& sources = looks_array(document, array.c_str());
  const Place place = array == "textures" ? Place::kTexture : Place::kMaterial;
  std::vector<JsonTemplate> templates(sources.size());
  for (const auto number : numbers) {
    const auto i = static_cast<std::size_t>(number);
    templates[i] = TemplateMaker(document, missing,
                                 {std::string(kind) + " " + std::to_string(i),
                                  "/" + array + "/" + std::to_string(i)})
                       .make(sources[i], place);
  }
  return templates;
}

}  // namespace

void load_materials(Document& document, const std::set<int>& used, AssetExtras& extras) {
  Missing missing;
  extras.materials = make_templates(document, missing, "material", used);
  const std::set<std::size_t> textures = references(extras.materials, Array::kTexture);
  extras.textures = make_templates(document, missing, "texture", textures);
  extras.images.resize(array_of(document, Array::kImage).size());
  for (const std::size_t i : references(extras.textures, Array::kImage)) {
    extras.images[i] = load_image(document, i);
    if (!extras.images[i].bytes) missing.images.insert(i);
  }
  for (const json& sampler : array_of(document, Array::kSampler)) {
    extras.samplers.push_back(sampler.dump());
  }
  if (missing.images.empty()) return;
  extras.textures = make_templates(document, missing, "texture", textures);
  for (const std::size_t t : textures) {
    if (references({extras.textures[t]}, Array::kImage).empty()) missing.textures.insert(t);
  }
  extras.materials = make_templates(document, missing, "material", used);
}

}  // namespace skinbake::gltf
