// Materials and textures as JSON templates, whose references a writer renumbers.
//
// A texture without a readable image is removed from materials, because readers require an image.
//
// References follow the naming of the specification: an object whose name ends in "Texture" has the
// index of a texture in "index". A texture has a "sampler" and a "source", and so do the extensions
// that give it an image of another format.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>

#include "gltf/document/json_member.h"
#include "gltf/document/message_text.h"
#include "gltf/materials/materials.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;
using Array = JsonTemplate::Array;

// Prefixes of extensions of materials and textures that refer to textures and images only.
constexpr std::array<std::string_view, 7> kKept{
    "KHR_materials_", "KHR_texture_",     "EXT_materials_", "EXT_texture_",
    "MSFT_texture_",  "ADOBE_materials_", "ADOBE_texture_"};

bool is_kept(std::string_view extension) {
  return std::any_of(kKept.begin(), kKept.end(),
                     [&](std::string_view prefix) { return extension.starts_with(prefix); });
}

const json& array_of(const Document& document, Array array) {
  return materials_array(document, array == Array::kTexture   ? "textures"
                                   : array == Array::kSampler ? "samplers"
                                                              : "images");
}

// Images that cannot be read, and textures without an image: references to them are removed.
struct Missing {
  std::set<std::size_t> images, textures;
};

// Extensions that the result does not have: the name, and the pointer of the first element with it.
using LeftOut = std::map<std::string, std::string>;

class TemplateMaker {
 public:
  enum class Context { kMaterial, kTextureInfo, kTextureTransform, kTexture, kOther };

  TemplateMaker(const Document& document, const Missing& missing, Element element,
                LeftOut& left_out)
      : document_(document), missing_(missing), element_(std::move(element)), left_out_(left_out) {}

  JsonTemplate make(const json& source, Context context) {
    if (!source.is_object()) {
      document_.fail("SCHEMA_VIOLATION", element_, "is not an object");
    }
    result_.texts.emplace_back();
    write(source, context);
    auto& names = result_.extensions;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return std::move(result_);
  }

 private:
  void write(const json& value, Context context) {
    if (value.is_object()) return write_object(value, context);
    if (!value.is_array()) {
      text() += value.dump();
      return;
    }
    text() += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i > 0) text() += ", ";
      write(value[i], context);
    }
    text() += ']';
  }

  void write_object(const json& object, Context context) {
    text() += '{';
    bool first = true;
    for (const auto& [name, value] : object.items()) {
      if (name == "extensions") list_left_out(value);
      if (is_left_out(name, value, context)) continue;
      if (!first) text() += ", ";
      first = false;
      text() += json(name).dump() + ": ";
      write_member(name, value, context);
    }
    text() += '}';
  }

  void write_member(const std::string& name, const json& value, Context context) {
    if (name == "extras" || context == Context::kOther) return write(value, Context::kOther);
    const bool has_texcoord =
        context == Context::kTextureInfo || context == Context::kTextureTransform;
    if (has_texcoord && name == "texCoord") return refer_to_texcoord(value);
    if (name == "extensions") return write_extensions(value, context);
    if (context == Context::kTextureInfo && name == "index") return refer(Array::kTexture, value);
    if (context == Context::kTexture && name == "sampler") return refer(Array::kSampler, value);
    if (context == Context::kTexture && name == "source") return refer(Array::kImage, value);
    write(value, is_texture_info(name, value, context) ? Context::kTextureInfo : context);
  }

  static bool is_texture_info(const std::string& name, const json& value, Context context) {
    return context == Context::kMaterial && value.is_object() &&
           (name.ends_with("Texture") || name == "texture");
  }

  bool is_left_out(const std::string& name, const json& value, Context context) const {
    if (name == "extensions") return !has_kept(value, context);
    if (is_texture_info(name, value, context))
      return names_one_of(value, "index", missing_.textures);
    return context == Context::kTexture && name == "source" && is_one_of(value, missing_.images);
  }

  static bool is_one_of(const json& number, const std::set<std::size_t>& numbers) {
    const std::optional<std::uint64_t> whole = whole_number(number);
    return whole && numbers.contains(static_cast<std::size_t>(*whole));
  }

  static bool names_one_of(const json& object, const char* member,
                           const std::set<std::size_t>& numbers) {
    const auto found = object.is_object() ? object.find(member) : object.end();
    return found != object.end() && is_one_of(*found, numbers);
  }

  bool keeps(const std::string& extension, const json& value, Context context) const {
    return is_kept(extension) &&
           !(context == Context::kTexture && names_one_of(value, "source", missing_.images));
  }

  bool has_kept(const json& extensions, Context context) const {
    if (!extensions.is_object()) return false;
    const auto items = extensions.items();
    return std::any_of(items.begin(), items.end(),
                       [&](const auto& item) { return keeps(item.key(), item.value(), context); });
  }

  void list_left_out(const json& extensions) {
    if (!extensions.is_object()) return;
    for (const auto& [name, value] : extensions.items()) {
      if (!is_kept(name)) left_out_.emplace(name, element_.pointer);
    }
  }

  void write_extensions(const json& extensions, Context context) {
    text() += '{';
    bool first = true;
    for (const auto& [name, value] : extensions.items()) {
      if (!keeps(name, value, context)) continue;
      if (!first) text() += ", ";
      first = false;
      result_.extensions.push_back(name);
      text() += json(name).dump() + ": ";
      write(value, name == "KHR_texture_transform"    ? Context::kTextureTransform
                   : context == Context::kTextureInfo ? Context::kOther
                                                      : context);
    }
    text() += '}';
  }

  void refer_to_texcoord(const json& value) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
    const std::optional<std::size_t> set = index_below(kMost + 1, value);
    if (!set) return write(value, Context::kOther);  // as it is
    result_.references.push_back({Array::kTexcoord, *set});
    result_.texts.emplace_back();
  }

  void refer(Array array, const json& value) {
    const std::optional<std::size_t> index = index_below(array_of(document_, array).size(), value);
    if (!index) {
      document_.fail("REFERENCE_INVALID", element_,
                     "names a texture, sampler or image that does not exist");
    }
    result_.references.push_back({array, *index});
    result_.texts.emplace_back();
  }

  std::string& text() { return result_.texts.back(); }

  const Document& document_;
  const Missing& missing_;
  Element element_;
  LeftOut& left_out_;
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

// Returns templates of the elements `numbers` of an array; the other elements stay empty.
template <class Numbers>
std::vector<JsonTemplate> make_templates(const Document& document, const Missing& missing,
                                         const char* kind, const Numbers& numbers,
                                         LeftOut& left_out) {
  using Context = TemplateMaker::Context;
  const std::string array = std::string(kind) + "s";
  const json& sources = materials_array(document, array.c_str());
  const Context context = array == "textures" ? Context::kTexture : Context::kMaterial;
  std::vector<JsonTemplate> templates(sources.size());
  for (const auto number : numbers) {
    const auto i = static_cast<std::size_t>(number);
    templates[i] = TemplateMaker(document, missing,
                                 {std::string(kind) + " " + std::to_string(i),
                                  "/" + array + "/" + std::to_string(i)},
                                 left_out)
                       .make(sources[i], context);
  }
  return templates;
}

// Fills in the materials of `used`, and the textures, samplers and images that they name.
void fill_templates(Document& document, const std::set<int>& used, LeftOut& left_out,
                    AssetMaterials& materials) {
  Missing missing;
  materials.materials = make_templates(document, missing, "material", used, left_out);
  const std::set<std::size_t> textures = references(materials.materials, Array::kTexture);
  materials.textures = make_templates(document, missing, "texture", textures, left_out);
  materials.images.resize(array_of(document, Array::kImage).size());
  for (const std::size_t i : references(materials.textures, Array::kImage)) {
    materials.images[i] =
        load_image(document, materials_array(document, "images")[i], i, Unreadable::kLeftOut);
    if (!materials.images[i].bytes) missing.images.insert(i);
  }
  for (const json& sampler : array_of(document, Array::kSampler)) {
    materials.samplers.push_back(sampler.dump());
  }
  if (missing.images.empty()) return;
  materials.textures = make_templates(document, missing, "texture", textures, left_out);
  for (const std::size_t t : textures) {
    if (references({materials.textures[t]}, Array::kImage).empty()) missing.textures.insert(t);
  }
  materials.materials = make_templates(document, missing, "material", used, left_out);
}

void list_extensions_of_primitives(const Document& document, int mesh, LeftOut& left_out) {
  const std::string pointer = "/meshes/" + std::to_string(mesh) + "/primitives/";
  std::size_t number = 0;
  for (const json& primitive :
       document.materials->at("meshes")[static_cast<std::size_t>(mesh)].at("primitives")) {
    const std::size_t p = number++;
    const json& extensions = member(primitive, "extensions");
    if (!extensions.is_object()) continue;
    for (const auto& [name, value] : extensions.items()) {
      if (name != "KHR_draco_mesh_compression") {
        left_out.emplace(name, pointer + std::to_string(p));
      }
    }
  }
}

void note_extensions_left_out(Document& document, const LeftOut& left_out) {
  constexpr std::size_t kMostNames = 8;
  if (left_out.empty()) return;
  std::string names;
  std::size_t count = 0;
  for (const auto& [name, pointer] : left_out) {
    if (count == kMostNames) break;
    names += (count++ > 0 ? ", " : "") + in_quotes(name);
  }
  if (left_out.size() > count) {
    names += " and " + std::to_string(left_out.size() - count) + " others";
  }
  document.note("EXTENSION_LEFT_OUT", left_out.begin()->second,
                "the baked file does not keep these extensions of materials, textures and "
                "primitives: " +
                    names,
                static_cast<std::int64_t>(left_out.size()));
}

std::set<int> used_materials(const AssetMaterials& materials) {
  std::set<int> used;
  for (const auto& [node, mesh] : materials.meshes) {
    for (const PrimitiveMaterials& primitive : mesh->primitives) {
      if (primitive.material >= 0) used.insert(primitive.material);
    }
  }
  return used;
}

}  // namespace

std::shared_ptr<const json> take_materials(json& source) {
  auto materials = std::make_shared<json>(json::object());
  for (const char* name : {"asset", "materials", "textures", "samplers", "images", "meshes"}) {
    const auto found = source.find(name);
    if (found != source.end()) (*materials)[name] = std::move(*found);
  }
  return materials;
}

const json& materials_array(const Document& document, const char* name) {
  static const json nothing = json::array();
  const auto found = document.materials->find(name);
  return found == document.materials->end() || !found->is_array() ? nothing : *found;
}

std::shared_ptr<const AssetMaterials> load_materials(Document& document,
                                                     const std::vector<Rig>& rigs) {
  auto materials = std::make_shared<AssetMaterials>();
  if (const auto text = document.materials->at("asset").find("copyright");
      text != document.materials->at("asset").end() && text->is_string()) {
    materials->copyright = text->get<std::string>();
  }
  materials->extensions_required = document.model.extensions_required;
  std::sort(materials->extensions_required.begin(), materials->extensions_required.end());
  LeftOut left_out;
  std::map<int, std::shared_ptr<const MeshMaterials>> loaded;
  for (const Rig& rig : rigs) {
    const int mesh = document.model.nodes[static_cast<std::size_t>(rig.node)].mesh;
    std::shared_ptr<const MeshMaterials>& of_mesh = loaded[mesh];
    if (!of_mesh) {
      of_mesh = std::make_shared<MeshMaterials>(load_mesh_materials(document, mesh, *rig.mesh));
      list_extensions_of_primitives(document, mesh, left_out);
    }
    materials->meshes[rig.node] = of_mesh;
  }
  fill_templates(document, used_materials(*materials), left_out, *materials);
  note_extensions_left_out(document, left_out);
  return materials;
}

}  // namespace skinbake::gltf
