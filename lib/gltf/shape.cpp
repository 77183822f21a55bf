#include "gltf/shape.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "gltf/schema.h"
#include "gltf/shape_checks.h"
#include "gltf/uri.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 53;
constexpr std::uint64_t kMaxInt = std::numeric_limits<std::int32_t>::max();

// A place on the way down from the root. Its pointer is only spelt out for a message.
struct Place {
  const Place* parent = nullptr;
  const std::string* name = nullptr;  // of a member; null: element `index` of an array
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

class Shaper {
 public:
  Shaper(Document& document, const json& root) : document_(document), root_(root) {}

  json object(const json& source, std::span<const Member> shape, const Place& at) {
    if (!source.is_object()) fail(at, "is not an object");
    json shaped = json::object();
    for (const Member& member : shape) {
      const auto it = source.find(member.name);
      if (it != source.end() && member.kind == Kind::kHint) {
        check_hint(*it, member.refers_to, {&at, &it.key()});
      } else if (it != source.end()) {
        shaped[member.name] = value(*it, member, {&at, &it.key()});
      } else if (member.required) {
        const std::string name = member.name;
        fail({&at, &name}, "is missing");
      }
    }
    note_extensions(source, at);
    return shaped;
  }

 private:
  json value(const json& source, const Member& member, const Place& at) {
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
        return object(source, member.shape, at);
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

  json array(const json& source, const Member& member, const Place& at) {
    if (!source.is_array()) fail(at, "is not an array");
    Member element = member;
    element.kind = member.kind == Kind::kTexts     ? Kind::kText
                   : member.kind == Kind::kIndices ? Kind::kIndex
                   : member.kind == Kind::kObjects ? Kind::kObject
                                                   : Kind::kAttributes;
    json shaped = json::array();
    for (std::size_t i = 0; i < source.size(); ++i) {
      shaped.push_back(value(source[i], element, {&at, nullptr, i}));
    }
    return shaped;
  }

  // 1.0 and 1e2 are integers in JSON.
  static std::optional<std::uint64_t> whole_number(const json& source) {
    if (source.is_number_unsigned()) return source.get<std::uint64_t>();
    const double number = source.is_number_float() ? source.get<double>() : -1;
    const bool is_whole =
        number >= 0 && number <= static_cast<double>(kMaxCount) && number == std::floor(number);
    return is_whole ? std::optional(static_cast<std::uint64_t>(number)) : std::nullopt;
  }

  std::uint64_t integer(const json& source, std::uint64_t limit, const Place& at) {
    const std::optional<std::uint64_t> number = whole_number(source);
    if (!number) fail(at, "is not an integer of 0 or more");
    if (*number > limit) fail(at, "is too large");
    return *number;
  }

  std::size_t size_of(const char* array) const {
    const auto target = root_.find(array);
    return target != root_.end() && target->is_array() ? target->size() : 0;
  }

  void check_hint(const json& source, const char* refers_to, const Place& at) {
    const std::optional<std::uint64_t> number = whole_number(source);
    const std::size_t size = size_of(refers_to);
    if (number && *number < size) return;
    document_.note(IssueCode::SKELETON_INVALID, at.pointer(),
                   at.element().name + " is not the number of one of the " + std::to_string(size) +
                       " " + refers_to + "; ignored");
  }

  std::uint64_t index(const json& source, const char* refers_to, const Place& at) {
    const std::uint64_t result = integer(source, kMaxInt, at);
    const std::size_t size = size_of(refers_to);
    if (result >= size) {
      document_.fail("REFERENCE_INVALID", at.element(),
                     "is " + std::to_string(result) + ", but there are " + std::to_string(size) +
                         " " + refers_to + "; re-export the file");
    }
    return result;
  }

  json numbers(const json& source, std::size_t length, const Place& at) {
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

  json attributes(const json& source, const Place& at) {
    if (!source.is_object()) fail(at, "is not an object");
    json shaped = json::object();
    for (const auto& [name, accessor] : source.items()) {
      const Place here{&at, &name};
      const std::uint64_t number = index(accessor, "accessors", here);
      const bool is_look = is_attribute_set(name, {"TEXCOORD_", "COLOR_"});
      if (name == "POSITION" || name == "NORMAL" ||
          is_attribute_set(name, {"JOINTS_", "WEIGHTS_"}) || (is_look && document_.keeps_looks) ||
          (name == "TANGENT" && document_.reads_tangents)) {
        shaped[name] = number;
      } else if (name != "TANGENT" && !is_look) {
        document_.note(IssueCode::ATTRIBUTE_IGNORED, here.pointer(),
                       "attribute " + in_quotes(name) + " is not known; ignored");
      }
    }
    return shaped;
  }

  json numbered(const json& source, const Place& at) {
    if (!source.is_object()) fail(at, "is not an object");
    json shaped = json::object();
    for (const auto& [name, number] : source.items()) {
      shaped[name] = integer(number, kMaxInt, {&at, &name});
    }
    return shaped;
  }

  void note_extensions(const json& source, const Place& at) {
    const auto extensions = source.find("extensions");
    if (extensions == source.end() || !extensions->is_object()) return;
    for (const auto& item : extensions->items()) {
      if (document_.uses(item.key().c_str())) continue;
      document_.extension_uses[item.key()] =
          at.pointer() + "/extensions/" + pointer_token(item.key());
    }
  }

  [[noreturn]] void fail(const Place& at, const std::string& what) const {
    document_.fail("SCHEMA_VIOLATION", at.element(), what + "; re-export the file");
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
                  "asks for more than glTF 2.0; convert the file");
  }
  document.fail("VERSION_UNSUPPORTED", {"asset version " + in_quotes(version), "/asset/version"},
                "is not glTF 2.0; convert the file");
}

// tinygltf drops channels without a node.
void number_missing_nodes(json& shaped) {
  if (!shaped.contains("animations")) return;
  for (json& animation : shaped["animations"]) {
    for (json& channel : animation["channels"]) {
      if (!channel["target"].contains("node")) channel["target"]["node"] = -1;
    }
  }
}

}  // namespace

json shape_document(Document& document, const json& source) {
  Shaper shaper(document, source);
  const std::string asset = "asset";
  const Place root;
  if (source.is_object() && source.contains(asset) && source[asset].is_object()) {
    check_version(document, shaper.object(source[asset], asset_shape(), {&root, &asset}));
  }
  json shaped = shaper.object(source, root_shape(), root);
  check_values(document, shaped);
  number_missing_nodes(shaped);
  return shaped;
}

}  // namespace skinbake::gltf
