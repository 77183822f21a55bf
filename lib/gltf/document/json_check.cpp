#include "gltf/document/json_check.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "gltf/document/json_member.h"
#include "gltf/document/model.h"
#include "json/json_text.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

// --- The members of glTF 2.0 that are checked ---

enum class Kind {
  kText,
  kTexts,
  kFlag,
  kCount,       // integer >= 0
  kInt,         // integer 0 … 2^31 - 1
  kIndex,       // of an element of the root array `refers_to`
  kIndices,     // array of indices
  kHint,        // an index that is not used: an invalid one is an issue; not copied
  kNumbers,     // `length` finite numbers; 0: any length
  kObject,      // with the members `members`
  kObjects,     // array of objects
  kAttributes,  // name to accessor
  kNumbered,    // name to number
  kTargets,     // array of attributes
};

struct Member {
  const char* name;
  Kind kind;
  bool required = false;
  const char* refers_to = nullptr;
  std::size_t length = 0;
  std::span<const Member> members = {};
};

constexpr Member kAssetMembers[] = {
    {"version", Kind::kText, true}, {"minVersion", Kind::kText}, {"generator", Kind::kText}};
constexpr Member kFallbackMembers[] = {{"fallback", Kind::kFlag}};
constexpr Member kBufferExtensionsMembers[] = {
    {"EXT_meshopt_compression", Kind::kObject, false, nullptr, 0, kFallbackMembers},
    {"KHR_meshopt_compression", Kind::kObject, false, nullptr, 0, kFallbackMembers}};
constexpr Member kBufferMembers[] = {
    {"byteLength", Kind::kCount, true},
    {"uri", Kind::kText},
    {"name", Kind::kText},
    {"extensions", Kind::kObject, false, nullptr, 0, kBufferExtensionsMembers}};
constexpr Member kMeshoptMembers[] = {{"buffer", Kind::kIndex, true, "buffers"},
                                      {"byteOffset", Kind::kCount},
                                      {"byteLength", Kind::kCount, true},
                                      {"byteStride", Kind::kCount, true},
                                      {"count", Kind::kCount, true},
                                      {"mode", Kind::kText, true},
                                      {"filter", Kind::kText}};
constexpr Member kViewExtensionsMembers[] = {
    {"EXT_meshopt_compression", Kind::kObject, false, nullptr, 0, kMeshoptMembers},
    {"KHR_meshopt_compression", Kind::kObject, false, nullptr, 0, kMeshoptMembers}};
constexpr Member kViewMembers[] = {
    {"buffer", Kind::kIndex, true, "buffers"},
    {"byteOffset", Kind::kCount},
    {"byteLength", Kind::kCount, true},
    {"byteStride", Kind::kCount},
    {"extensions", Kind::kObject, false, nullptr, 0, kViewExtensionsMembers}};
constexpr Member kSparseIndicesMembers[] = {{"bufferView", Kind::kIndex, true, "bufferViews"},
                                            {"byteOffset", Kind::kInt},
                                            {"componentType", Kind::kInt, true}};
constexpr Member kSparseValuesMembers[] = {{"bufferView", Kind::kIndex, true, "bufferViews"},
                                           {"byteOffset", Kind::kInt}};
constexpr Member kSparseMembers[] = {
    {"count", Kind::kInt, true},
    {"indices", Kind::kObject, true, nullptr, 0, kSparseIndicesMembers},
    {"values", Kind::kObject, true, nullptr, 0, kSparseValuesMembers}};
constexpr Member kAccessorMembers[] = {
    {"bufferView", Kind::kIndex, false, "bufferViews"},
    {"byteOffset", Kind::kCount},
    {"componentType", Kind::kInt, true},
    {"normalized", Kind::kFlag},
    {"count", Kind::kCount, true},
    {"type", Kind::kText, true},
    {"sparse", Kind::kObject, false, nullptr, 0, kSparseMembers}};
constexpr Member kDracoMembers[] = {{"bufferView", Kind::kIndex, true, "bufferViews"},
                                    {"attributes", Kind::kNumbered, true}};
constexpr Member kPrimitiveExtensionsMembers[] = {
    {"KHR_draco_mesh_compression", Kind::kObject, false, nullptr, 0, kDracoMembers}};
constexpr Member kPrimitiveMembers[] = {
    {"attributes", Kind::kAttributes, true},
    {"indices", Kind::kIndex, false, "accessors"},
    {"mode", Kind::kInt},
    {"targets", Kind::kTargets},
    {"extensions", Kind::kObject, false, nullptr, 0, kPrimitiveExtensionsMembers}};
constexpr Member kMeshMembers[] = {
    {"name", Kind::kText},
    {"primitives", Kind::kObjects, true, nullptr, 0, kPrimitiveMembers},
    {"weights", Kind::kNumbers}};
constexpr Member kNodeMembers[] = {{"name", Kind::kText},
                                   {"children", Kind::kIndices, false, "nodes"},
                                   {"mesh", Kind::kIndex, false, "meshes"},
                                   {"skin", Kind::kIndex, false, "skins"},
                                   {"matrix", Kind::kNumbers, false, nullptr, 16},
                                   {"translation", Kind::kNumbers, false, nullptr, 3},
                                   {"rotation", Kind::kNumbers, false, nullptr, 4},
                                   {"scale", Kind::kNumbers, false, nullptr, 3},
                                   {"weights", Kind::kNumbers}};
constexpr Member kSceneMembers[] = {{"name", Kind::kText},
                                    {"nodes", Kind::kIndices, false, "nodes"}};
constexpr Member kSkinMembers[] = {{"name", Kind::kText},
                                   {"joints", Kind::kIndices, true, "nodes"},
                                   {"inverseBindMatrices", Kind::kIndex, false, "accessors"},
                                   {"skeleton", Kind::kHint, false, "nodes"}};
constexpr Member kPointerMembers[] = {{"pointer", Kind::kText, true}};
constexpr Member kTargetExtensionsMembers[] = {
    {"KHR_animation_pointer", Kind::kObject, false, nullptr, 0, kPointerMembers}};
constexpr Member kTargetMembers[] = {
    {"node", Kind::kIndex, false, "nodes"},
    {"path", Kind::kText, true},
    {"extensions", Kind::kObject, false, nullptr, 0, kTargetExtensionsMembers}};
constexpr Member kChannelMembers[] = {{"sampler", Kind::kInt, true},
                                      {"target", Kind::kObject, true, nullptr, 0, kTargetMembers}};
constexpr Member kSamplerMembers[] = {{"input", Kind::kIndex, true, "accessors"},
                                      {"output", Kind::kIndex, true, "accessors"},
                                      {"interpolation", Kind::kText}};
constexpr Member kAnimationMembers[] = {
    {"name", Kind::kText},
    {"channels", Kind::kObjects, true, nullptr, 0, kChannelMembers},
    {"samplers", Kind::kObjects, true, nullptr, 0, kSamplerMembers}};
constexpr Member kRootMembers[] = {
    {"asset", Kind::kObject, true, nullptr, 0, kAssetMembers},
    {"extensionsUsed", Kind::kTexts},
    {"extensionsRequired", Kind::kTexts},
    {"buffers", Kind::kObjects, false, nullptr, 0, kBufferMembers},
    {"bufferViews", Kind::kObjects, false, nullptr, 0, kViewMembers},
    {"accessors", Kind::kObjects, false, nullptr, 0, kAccessorMembers},
    {"meshes", Kind::kObjects, false, nullptr, 0, kMeshMembers},
    {"nodes", Kind::kObjects, false, nullptr, 0, kNodeMembers},
    {"skins", Kind::kObjects, false, nullptr, 0, kSkinMembers},
    {"animations", Kind::kObjects, false, nullptr, 0, kAnimationMembers},
    {"scenes", Kind::kObjects, false, nullptr, 0, kSceneMembers},
    {"scene", Kind::kIndex, false, "scenes"}};

// --- The check ---

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

constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 53;
constexpr std::uint64_t kMaxInt = std::numeric_limits<std::int32_t>::max();

// A position in the JSON, linked to its parent. The pointer is composed for messages only.
struct Position {
  const Position* parent = nullptr;
  const std::string* name = nullptr;  // name of a member; null: element `index` of an array
  std::size_t index = 0;

  std::string pointer() const {
    if (parent == nullptr) return "";
    std::string text = parent->pointer();
    text += '/';
    text += name != nullptr ? pointer_token(*name) : std::to_string(index);
    return text;
  }

  Element element() const {
    if (parent == nullptr) return {"the JSON text", ""};
    if (name != nullptr) return {in_quotes(*name), pointer()};
    return {parent->element().name + " " + std::to_string(index), pointer()};
  }
};

void check_samplers(const Document& document, const json& animation, std::size_t a) {
  for (std::size_t c = 0; c < animation["channels"].size(); ++c) {
    if (animation["channels"][c]["sampler"].get<std::size_t>() < animation["samplers"].size()) {
      continue;
    }
    const std::string at = "/animations/" + std::to_string(a) + "/channels/" + std::to_string(c);
    document.fail("REFERENCE_INVALID", {describe("animation", a, animation.value("name", "")), at},
                  "has a channel whose sampler does not exist");
  }
}

void check_accessor(const Document& document, const json& accessor, std::size_t i) {
  const Element element{"accessor " + std::to_string(i), "/accessors/" + std::to_string(i)};
  const int component = accessor["componentType"].get<int>();
  if (component < static_cast<int>(ComponentType::kByte) ||
      component > static_cast<int>(ComponentType::kFloat) ||
      component == static_cast<int>(ComponentType::kInt)) {
    document.fail("ACCESSOR_FORMAT", element,
                  "has the unknown componentType " + std::to_string(component));
  }
  static constexpr std::array kTypes{"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"};
  if (std::find(kTypes.begin(), kTypes.end(), accessor["type"].get<std::string>()) ==
      kTypes.end()) {
    document.fail("ACCESSOR_FORMAT", element, "has an unknown type");
  }
}

void check_stride(const Document& document, const json& view, std::size_t i) {
  const std::uint64_t stride = view.value("byteStride", std::uint64_t{4});
  if (stride >= 4 && stride <= 252 && stride % 4 == 0) return;
  document.fail(
      "SCHEMA_VIOLATION", {"bufferView " + std::to_string(i), "/bufferViews/" + std::to_string(i)},
      "has the byteStride " + std::to_string(stride) + ", not a multiple of 4 from 4 to 252");
}

class Checker {
 public:
  Checker(Document& document, const json& root) : document_(document), root_(root) {}

  json object(const json& source, std::span<const Member> members, const Position& at) {
    if (!source.is_object()) fail(at, "is not an object");
    json checked = json::object();
    for (const Member& member : members) {
      const auto it = source.find(member.name);
      if (it != source.end() && member.kind == Kind::kHint) {
        check_hint(*it, member.refers_to, {&at, &it.key()});
      } else if (it != source.end()) {
        checked[member.name] = value(*it, member, {&at, &it.key()});
      } else if (member.required) {
        const std::string name = member.name;
        fail({&at, &name}, "is missing");
      }
    }
    note_extensions(source, at);
    return checked;
  }

 private:
  json value(const json& source, const Member& member, const Position& at) {
    switch (member.kind) {
      case Kind::kText:
        if (!source.is_string()) fail(at, "is not a string");
        return source;
      case Kind::kFlag:
        if (!source.is_boolean()) fail(at, "is not true or false");
        return source;
      case Kind::kCount:
        return integer(source, kMaxCount, at);
      case Kind::kInt:
        return integer(source, kMaxInt, at);
      case Kind::kIndex:
        return index(source, member.refers_to, at);
      case Kind::kObject:
        return object(source, member.members, at);
      case Kind::kAttributes:
        return attributes(source, at);
      case Kind::kNumbered:
        return numbered(source, at);
      case Kind::kNumbers:
        return numbers(source, member.length, at);
      case Kind::kTexts:
      case Kind::kIndices:
      case Kind::kObjects:
      case Kind::kTargets:
      case Kind::kHint:
        break;
    }
    return array(source, member, at);
  }

  json array(const json& source, const Member& member, const Position& at) {
    if (!source.is_array()) fail(at, "is not an array");
    Member element = member;
    element.kind = member.kind == Kind::kTexts     ? Kind::kText
                   : member.kind == Kind::kIndices ? Kind::kIndex
                   : member.kind == Kind::kObjects ? Kind::kObject
                                                   : Kind::kAttributes;
    json checked = json::array();
    const bool is_of_file = at.name != nullptr && at.parent->parent == nullptr;
    for (std::size_t i = 0; i < source.size(); ++i) {
      const Position here{&at, nullptr, i};
      const auto read = [&] {
        checked.push_back(value(source[i], element, here));
        if (is_of_file) check_values(checked.back(), *at.name, i);
      };
      if (!is_of_file || document_.source || !is_isolated(*at.name)) {
        read();
      } else if (const Fault fault = document_.fault_of(read)) {
        checked.get_ref<json::array_t&>().resize(i);
        checked.push_back(stand_in_for(source[i], *at.name));
        document_.faults.emplace(here.pointer(), fault);
      }
    }
    return checked;
  }

  // Whether the rest of the file can be read without a broken element of the list. A program that
  // writes the file again needs its whole JSON.
  static bool is_isolated(std::string_view list) {
    static constexpr std::array kLists{"nodes",     "meshes",      "skins", "animations",
                                       "accessors", "bufferViews", "scenes"};
    return std::find(kLists.begin(), kLists.end(), list) != kLists.end();
  }

  // An element without content in the place of a broken one, which has the index and the name.
  json stand_in_for(const json& source, const std::string& list) const {
    if (list == "bufferViews") return {{"buffer", 0}, {"byteLength", 0}};
    if (list == "accessors") {
      return {{"componentType", static_cast<int>(ComponentType::kFloat)},
              {"count", 0},
              {"type", "SCALAR"}};
    }
    json stand_in = json::object();
    if (list == "meshes") stand_in["primitives"] = json::array();
    if (list == "skins") stand_in["joints"] = json::array();
    if (list == "animations") stand_in["channels"] = stand_in["samplers"] = json::array();
    const json& name = member(source, "name");
    if (name.is_string()) stand_in["name"] = name;
    if (list == "nodes") add_hierarchy(source, stand_in);
    return stand_in;
  }

  // What the hierarchy needs of a broken node: the children that exist, and whether it is a mesh
  // node. A mesh that does not exist is the one that checked_json adds.
  void add_hierarchy(const json& source, json& stand_in) const {
    const json& children = member(source, "children");
    for (const json& child : children.is_array() ? children : json::array()) {
      if (const auto index = index_below(size_of("nodes"), child)) {
        stand_in["children"].push_back(*index);
      }
    }
    const std::size_t meshes = size_of("meshes");
    const json& mesh = member(source, "mesh");
    if (!mesh.is_null()) stand_in["mesh"] = index_below(meshes, mesh).value_or(meshes);
  }

  // Checks the values that the types of members leave open.
  void check_values(const json& element, const std::string& list, std::size_t i) const {
    if (list == "accessors") check_accessor(document_, element, i);
    if (list == "bufferViews") check_stride(document_, element, i);
    if (list == "animations") check_samplers(document_, element, i);
  }

  std::uint64_t integer(const json& source, std::uint64_t limit, const Position& at) {
    const std::optional<std::uint64_t> number = whole_number(source);
    if (!number) fail(at, "is not an integer of 0 or more");
    if (*number > limit) fail(at, "is too large");
    return *number;
  }

  std::size_t size_of(const char* array) const {
    const auto target = root_.find(array);
    return target != root_.end() && target->is_array() ? target->size() : 0;
  }

  void check_hint(const json& source, const char* refers_to, const Position& at) {
    const std::optional<std::uint64_t> number = whole_number(source);
    const std::size_t size = size_of(refers_to);
    if (number && *number < size) return;
    document_.note("SKELETON_INVALID", at.pointer(),
                   at.element().name + " is not the index of one of the " + std::to_string(size) +
                       " " + refers_to + "; ignored");
  }

  std::uint64_t index(const json& source, const char* refers_to, const Position& at) {
    const std::uint64_t result = integer(source, kMaxInt, at);
    const std::size_t size = size_of(refers_to);
    if (result >= size) {
      document_.fail("REFERENCE_INVALID", at.element(),
                     "is " + std::to_string(result) + ", but there are " + std::to_string(size) +
                         " " + refers_to);
    }
    return result;
  }

  json numbers(const json& source, std::size_t length, const Position& at) {
    if (!source.is_array()) fail(at, "is not an array");
    if (length != 0 && source.size() != length) {
      fail(at, "has " + std::to_string(source.size()) + " numbers instead of " +
                   std::to_string(length));
    }
    for (const json& number : source) {
      if (!number.is_number()) fail(at, "has an element that is not a number");
    }
    return source;
  }

  json attributes(const json& source, const Position& at) {
    if (!source.is_object()) fail(at, "is not an object");
    json checked = json::object();
    for (const auto& [name, accessor] : source.items()) {
      const Position here{&at, &name};
      const std::uint64_t number = index(accessor, "accessors", here);
      const bool is_appearance = is_attribute_set(name, {"TEXCOORD_", "COLOR_"});
      if (name == "POSITION" || name == "NORMAL" ||
          is_attribute_set(name, {"JOINTS_", "WEIGHTS_"}) ||
          (is_appearance && document_.keeps_materials) ||
          (name == "TANGENT" && document_.reads_tangents)) {
        checked[name] = number;
      } else if (name != "TANGENT" && !is_appearance) {
        document_.note("ATTRIBUTE_IGNORED", here.pointer(),
                       "attribute " + in_quotes(name) + " is unknown; ignored");
      }
    }
    return checked;
  }

  json numbered(const json& source, const Position& at) {
    if (!source.is_object()) fail(at, "is not an object");
    json checked = json::object();
    for (const auto& [name, number] : source.items()) {
      checked[name] = integer(number, kMaxInt, {&at, &name});
    }
    return checked;
  }

  void note_extensions(const json& source, const Position& at) {
    const auto extensions = source.find("extensions");
    if (extensions == source.end() || !extensions->is_object()) return;
    for (const auto& item : extensions->items()) {
      if (document_.uses(item.key().c_str())) continue;
      document_.extension_uses[item.key()] =
          at.pointer() + "/extensions/" + pointer_token(item.key());
    }
  }

  [[noreturn]] void fail(const Position& at, const std::string& what) const {
    document_.fail("SCHEMA_VIOLATION", at.element(), what);
  }

  Document& document_;
  const json& root_;
};

void check_version(const Document& document, const json& asset) {
  const std::string version = asset.value("version", ""), least = asset.value("minVersion", "");
  const bool supported = version.size() > 2 && version.starts_with("2.") &&
                         version.find_first_not_of("0123456789", 2) == std::string::npos;
  if (supported && (least.empty() || least == "2.0")) return;
  if (supported) {
    document.fail("VERSION_UNSUPPORTED",
                  {"asset minVersion " + in_quotes(least), "/asset/minVersion"},
                  "requires more than glTF 2.0");
  }
  document.fail("VERSION_UNSUPPORTED", {"asset version " + in_quotes(version), "/asset/version"},
                "is not glTF 2.0");
}

}  // namespace

json checked_json(Document& document, const json& source) {
  Checker checker(document, source);
  const std::string asset = "asset";
  const Position root;
  if (source.is_object() && source.contains(asset) && source[asset].is_object()) {
    check_version(document, checker.object(source[asset], kAssetMembers, {&root, &asset}));
  }
  json checked = checker.object(source, kRootMembers, root);
  const std::size_t meshes = member(checked, "meshes").size();
  const bool lacks_mesh = std::ranges::any_of(member(checked, "nodes"), [&](const json& node) {
    return node.value("mesh", std::size_t{0}) == meshes && node.contains("mesh");
  });
  if (lacks_mesh) checked["meshes"].push_back({{"primitives", json::array()}});
  return checked;
}

}  // namespace skinbake::gltf
