#include "gltf/read/loaders.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "gltf/document/json_member.h"
#include "gltf/document/message_text.h"
#include "gltf/document/references.h"
#include "gltf/read/accessor.h"
#include "gltf/write/baked_document.h"
#include "gltf/write/unused_elements.h"
#include "rig/primitive_normals.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

// Prefixes of extensions of materials and textures that refer to textures and images only.
constexpr std::array<std::string_view, 7> kKept{
    "KHR_materials_", "KHR_texture_",     "EXT_materials_", "EXT_texture_",
    "MSFT_texture_",  "ADOBE_materials_", "ADOBE_texture_"};

bool is_kept(std::string_view extension) {
  return std::any_of(kKept.begin(), kKept.end(),
                     [&](std::string_view prefix) { return extension.starts_with(prefix); });
}

const Format kCoordinatesFormat{
    AccessorType::kVec2,
    {ComponentType::kFloat, ComponentType::kUnsignedByte, ComponentType::kUnsignedShort},
    "VEC2 of float, or of normalised unsigned byte or short",
    {ComponentType::kByte, ComponentType::kShort}};
const Format kRgbFormat{
    AccessorType::kVec3,
    {ComponentType::kFloat, ComponentType::kUnsignedByte, ComponentType::kUnsignedShort},
    "VEC3 or VEC4 of float, or of normalised unsigned byte or short"};
const Format kRgbaFormat{AccessorType::kVec4, kRgbFormat.component_types, kRgbFormat.text};

void erase_texture_infos(json& value, const std::set<std::size_t>& textures) {
  if (value.is_array()) {
    for (json& element : value) erase_texture_infos(element, textures);
  }
  if (!value.is_object()) return;
  for (auto member = value.begin(); member != value.end();) {
    const auto index = whole_number(gltf::member(*member, "index"));
    if (is_texture_info(member.key(), *member) && index && textures.contains(*index)) {
      member = value.erase(member);
      continue;
    }
    if (member.key() != "extras") erase_texture_infos(*member, textures);
    ++member;
  }
}

// Erases `images` from a texture, which names one image; extensions name it in other formats.
void erase_sources(json& texture, const std::set<std::size_t>& images) {
  const auto is_missing = [&](const json& object) {
    const auto source = whole_number(member(object, "source"));
    return source && images.contains(*source);
  };
  if (is_missing(texture)) texture.erase("source");
  const auto extensions = texture.find("extensions");
  if (extensions == texture.end()) return;
  for (auto extension = extensions->begin(); extension != extensions->end();) {
    extension = is_missing(*extension) ? extensions->erase(extension) : std::next(extension);
  }
  if (extensions->empty()) texture.erase(extensions);
}

void set_fault(Document& document, const Fault& fault, Rig& rig) {
  rig.fault = fault;
  note_broken(document, rig);
}

class AppearanceReader {
 public:
  explicit AppearanceReader(Document& document) : document_(document), file_(*document.json) {
    json& kept = kept_.json;
    kept["nodes"] = json::array_t(document.model.nodes.size(), json::object());
    kept["meshes"] =
        json::array_t(document.model.meshes.size(), json{{"primitives", json::array()}});
    const json& copyright = member(member(file_, "asset"), "copyright");
    if (copyright.is_string()) kept["asset"] = {{"copyright", copyright}};
    kept["extensionsRequired"] = document.model.extensions_required;
    for (const char* list : {"materials", "textures", "samplers", "images"}) {
      const json& elements = member(file_, list);
      kept[list] = elements.is_array() ? elements : json::array();
    }
  }

  void add(const Rig& rig) {
    const auto node = static_cast<std::size_t>(rig.node);
    const int mesh = document_.model.nodes[node].mesh;
    json& kept = kept_.json["meshes"][static_cast<std::size_t>(mesh)]["primitives"];
    if (kept.empty()) {  // else another node has the mesh
      list_morphed(mesh);
      json primitives = json::array();
      for (std::size_t p = 0; p < rig.mesh->primitives.size(); ++p) {
        primitives.push_back(primitive_of(mesh, p, *rig.mesh));
      }
      kept = std::move(primitives);
    }
    kept_.json["nodes"][node]["mesh"] = mesh;
  }

  // Reads the materials of the rigs. A fault of a material becomes one of the rigs that have it.
  void add_materials(std::vector<Rig>& rigs) {
    keep_materials();
    constexpr std::size_t kMostListed = 1'000'000;  // many meshes may have many textures
    std::size_t listed = 0;
    std::map<int, MaterialsOfMesh> of_meshes;
    for (Rig& rig : rigs) {
      if (rig.fault) continue;
      const int mesh = document_.model.nodes[static_cast<std::size_t>(rig.node)].mesh;
      const auto [found, is_new] = of_meshes.try_emplace(mesh);
      MaterialsOfMesh& of_mesh = found->second;
      if (is_new && listed < kMostListed) {
        of_mesh = materials_of(mesh, *rig.elements);
        listed += of_mesh.elements->size();
      } else if (is_new && !faults_.empty()) {
        of_mesh.fault = faults_.begin()->second;
      }
      rig.elements = of_mesh.elements;
      if (of_mesh.fault) set_fault(document_, of_mesh.fault, rig);
    }
  }

  std::shared_ptr<const BakedDocument> take() {
    note_extensions_left_out();
    erase_unused_appearance(kept_.json);
    return std::make_shared<BakedDocument>(std::move(kept_));
  }

 private:
  using Numbers = std::set<std::size_t>;

  // The elements that a mesh consists of with its materials, and the fault of one of them.
  struct MaterialsOfMesh {
    std::shared_ptr<const std::vector<std::string>> elements;
    Fault fault;
  };

  MaterialsOfMesh materials_of(int mesh, std::vector<std::string> elements) const {
    Fault fault;
    const auto add = [&](const char* list, const Numbers& numbers) {
      for (const std::size_t i : numbers) {
        elements.push_back(std::string(list) + std::to_string(i));
        const auto broken = faults_.find(elements.back());
        if (broken != faults_.end() && !fault) fault = broken->second;
      }
    };
    Numbers materials, textures, images;
    for (const json& primitive :
         kept_.json["meshes"][static_cast<std::size_t>(mesh)]["primitives"]) {
      if (primitive.contains("material"))
        materials.insert(primitive["material"].get<std::size_t>());
    }
    for (const std::size_t i : materials) add_used(textures_of_, i, textures);
    for (const std::size_t i : textures) add_used(images_of_, i, images);
    add("/materials/", materials);
    add("/textures/", textures);
    add("/images/", images);
    return {std::make_shared<const std::vector<std::string>>(std::move(elements)), fault};
  }

  static void add_used(const std::map<std::size_t, Numbers>& used, std::size_t i,
                       Numbers& numbers) {
    const auto found = used.find(i);
    if (found != used.end()) numbers.insert(found->second.begin(), found->second.end());
  }

  const json& source_of(int mesh, std::size_t primitive) const {
    return file_.at("meshes")[static_cast<std::size_t>(mesh)].at("primitives")[primitive];
  }

  json primitive_of(int mesh, std::size_t p, const Mesh& geometry) {
    const std::size_t vertices = geometry.primitives[p].vertex_count;
    const Model::Primitive& source =
        document_.model.meshes[static_cast<std::size_t>(mesh)].primitives[p];
    json primitive{{"attributes", json::object()}, {"mode", source.mode}};
    list_extensions_of(mesh, p);
    add_material(mesh, p, primitive);
    if (vertices == 0) return primitive;
    if (source.indices >= 0) {
      primitive["indices"] =
          add_indices(attribute_element(document_, mesh, p, ""), source.indices, vertices);
    }
    for (const auto& [name, accessor] : source.attributes) {
      if (!name.starts_with("TEXCOORD_") && !name.starts_with("COLOR_")) continue;
      add_attribute(attribute_element(document_, mesh, p, name), accessor, vertices,
                    primitive["attributes"], name);
    }
    note_left_out(mesh, p, has_normals(geometry.normals, geometry.primitives[p]));
    return primitive;
  }

  void list_extensions_of(int mesh, std::size_t p) {
    const json& extensions = member(source_of(mesh, p), "extensions");
    if (!extensions.is_object()) return;
    for (const auto& [name, value] : extensions.items()) {
      if (name != kDraco)
        left_out_.emplace(name, attribute_element(document_, mesh, p, "").pointer);
    }
  }

  void list_morphed(int mesh) {
    const auto& primitives = document_.model.meshes[static_cast<std::size_t>(mesh)].primitives;
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      for (std::size_t t = 0; t < primitives[p].targets.size(); ++t) {
        for (const auto& [name, accessor] : primitives[p].targets[t]) {
          if (!name.starts_with("TEXCOORD_") && !name.starts_with("COLOR_")) continue;
          kept_.morphed.push_back({mesh, p, t, name});
        }
      }
    }
  }

  // The checked JSON does not contain materials, so the index is checked here.
  void add_material(int mesh, std::size_t p, json& primitive) {
    const json& material = member(source_of(mesh, p), "material");
    if (material.is_null()) return;
    const std::size_t count = kept_.json["materials"].size();
    const auto index = index_below(count, material);
    if (!index) {
      const Element where = attribute_element(document_, mesh, p, "");
      document_.fail("REFERENCE_INVALID", {where.name + ", material", where.pointer + "/material"},
                     "is none of the " + std::to_string(count) + " materials");
    }
    materials_.insert(*index);
    primitive["material"] = *index;
  }

  // load_mesh has checked that the indices are in range.
  std::size_t add_indices(const Element& where, int accessor, std::size_t vertices) {
    const std::size_t count = accessor_at(document_, accessor).count;
    std::vector<std::uint32_t> indices(count);
    decode(document_, accessor, where, indices.data());
    return kept_.add_indices(indices, vertices);
  }

  void add_attribute(const Element& where, int accessor, std::size_t vertices, json& attributes,
                     const std::string& name) {
    const Model::Accessor& source = accessor_at(document_, accessor);
    check_format(document_, accessor,
                 name.starts_with("TEXCOORD_")        ? kCoordinatesFormat
                 : source.type == AccessorType::kVec3 ? kRgbFormat
                                                      : kRgbaFormat,
                 where);
    check_vertex_count(document_, accessor, vertices, where);
    const auto width = static_cast<std::size_t>(component_count(source));
    std::vector<float> values(vertices * width);
    decode(document_, accessor, where, values.data(), Integers::kAsDeclared);
    if (all_finite(values.data(), values.size())) {
      attributes[name] = kept_.add_floats(values, width);
      return;
    }
    document_.note("ATTRIBUTE_LEFT_OUT", where.pointer,
                   where.name + " has a NaN or an infinity; left out");
  }

  // Notes normals and tangents that the output leaves out; the checked JSON may not contain
  // tangents.
  void note_left_out(int mesh, std::size_t p, bool has_normals) {
    const json& attributes = member(source_of(mesh, p), "attributes");
    for (const std::string name : {"NORMAL", "TANGENT"}) {
      if (!attributes.contains(name)) continue;
      const bool is_normal = name == "NORMAL";
      const bool is_wanted = is_normal ? document_.keeps_normals : document_.keeps_tangents;
      if (is_wanted && (is_normal || has_normals)) continue;
      const Element where = attribute_element(document_, mesh, p, name);
      document_.note("NORMALS_LEFT_OUT", where.pointer,
                     where.name + " is not kept" +
                         (is_wanted   ? ", because the primitive is read without normals"
                          : is_normal ? "; the format option normals=1 keeps it"
                                      : "; the GLB option tangents=1 keeps it"));
    }
  }

  // Keeps the materials of the meshes, with what they name.
  void keep_materials() {
    Numbers textures, images, missing;
    for_each("material", materials_, [&](std::size_t i, json& material, const Element& where) {
      visit_texcoord_uses(material, [](json& set) {
        if (const auto number = whole_number(set)) set = *number;
      });
      visit_texture_infos(material, [&](json& info) {
        visit(info, "index",
              [&](json& index) { textures_of_[i].insert(checked("textures", index, where)); });
      });
      textures.insert(textures_of_[i].begin(), textures_of_[i].end());
    });
    for_each("texture", textures, [&](std::size_t i, json& texture, const Element& where) {
      visit(texture, "sampler", [&](json& index) { checked("samplers", index, where); });
      visit_sources(texture,
                    [&](json& index) { images_of_[i].insert(checked("images", index, where)); });
      images.insert(images_of_[i].begin(), images_of_[i].end());
    });
    for (const std::size_t i : images) {
      if (!read_image(i)) missing.insert(i);
    }
    if (!missing.empty()) erase_images(missing, textures);
  }

  // Calls use(i, element, where) for some elements of a list, after their extensions were chosen. A
  // broken element is emptied, and its fault is kept.
  template <class Use>
  void for_each(const std::string& kind, const Numbers& numbers, const Use& use) {
    for (const std::size_t i : numbers) {
      const Element where{kind + " " + std::to_string(i), "/" + kind + "s/" + std::to_string(i)};
      json& element = kept_.json[kind + "s"][i];
      const Fault fault = document_.fault_of([&] {
        require_object(element, where);
        choose_extensions(element, where);
        use(i, element, where);
      });
      if (!fault) continue;
      element = json::object();
      faults_.emplace(where.pointer, fault);
    }
  }

  void require_object(const json& element, const Element& where) const {
    if (element.is_object()) return;
    document_.fail("SCHEMA_VIOLATION", where, "is not an object");
  }

  std::size_t checked(const char* list, const json& value, const Element& where) const {
    const auto index = index_below(kept_.json.at(list).size(), value);
    if (!index) {
      document_.fail("REFERENCE_INVALID", where,
                     "names a texture, sampler or image that does not exist");
    }
    return *index;
  }

  // Erases extensions that may refer to other elements than textures and images.
  void choose_extensions(json& value, const Element& where) {
    if (value.is_object()) choose_own_extensions(value, where);
    if (!value.is_structured()) return;
    for (const auto& [name, inner] : value.items()) {
      if (name != "extras") choose_extensions(inner, where);
    }
  }

  void choose_own_extensions(json& value, const Element& where) {
    const auto extensions = value.find("extensions");
    if (extensions == value.end()) return;
    for (auto it = extensions->begin(); extensions->is_object() && it != extensions->end();) {
      const bool keeps = is_kept(it.key());
      if (!keeps) left_out_.emplace(it.key(), where.pointer);
      it = keeps ? std::next(it) : extensions->erase(it);
    }
    if (!extensions->is_object() || extensions->empty()) value.erase(extensions);
  }

  bool read_image(std::size_t i) {
    json& image = kept_.json["images"][i];
    ImageFile file = load_image(document_, image, i, Unreadable::kLeftOut);
    if (file.bytes.size() == 0) return false;
    choose_extensions(image, {"", "/images/" + std::to_string(i)});
    image.erase("uri");
    image["mimeType"] = file.mime_type;
    image["bufferView"] = kept_.add_view(std::move(file.bytes));
    return true;
  }

  void erase_images(const Numbers& images, const Numbers& textures) {
    Numbers missing;
    for (const std::size_t t : textures) {
      json& texture = kept_.json["textures"][t];
      erase_sources(texture, images);
      bool has_image = false;
      visit_sources(texture, [&](const json&) { has_image = true; });
      if (!has_image) missing.insert(t);
    }
    for (const std::size_t m : materials_) erase_texture_infos(kept_.json["materials"][m], missing);
  }

  void note_extensions_left_out() {
    constexpr std::size_t kMostNames = 8;
    if (left_out_.empty()) return;
    std::string names;
    std::size_t count = 0;
    for (const auto& [name, pointer] : left_out_) {
      if (count == kMostNames) break;
      names += (count++ > 0 ? ", " : "") + in_quotes(name);
    }
    if (left_out_.size() > count) {
      names += " and " + std::to_string(left_out_.size() - count) + " others";
    }
    document_.note("EXTENSION_LEFT_OUT", left_out_.begin()->second,
                   "the baked file does not keep these extensions of materials, textures and "
                   "primitives: " +
                       names,
                   static_cast<std::int64_t>(left_out_.size()));
  }

  Document& document_;
  const json& file_;
  BakedDocument kept_;
  Numbers materials_;                            // of the meshes
  std::map<std::size_t, Numbers> textures_of_;   // by material
  std::map<std::size_t, Numbers> images_of_;     // by texture
  std::map<std::string, Fault> faults_;          // by the pointer of a material or texture
  std::map<std::string, std::string> left_out_;  // extension to the pointer of its first element
};

}  // namespace

std::shared_ptr<const BakedDocument> load_appearance(Document& document, std::vector<Rig>& rigs) {
  AppearanceReader reader(document);
  for (Rig& rig : rigs) {
    if (rig.fault) continue;
    const Fault fault = document.fault_of([&] { reader.add(rig); });
    if (fault) set_fault(document, fault, rig);
  }
  reader.add_materials(rigs);
  return reader.take();
}

}  // namespace skinbake::gltf
