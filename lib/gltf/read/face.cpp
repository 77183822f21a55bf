#include "gltf/read/loaders.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gltf/document/json_member.h"
#include "gltf/document/message_text.h"
#include "json/json_text.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 18> kPresets{
    "aa",        "ih",         "ou",       "ee",        "oh",      "blink",
    "blinkLeft", "blinkRight", "happy",    "sad",       "relaxed", "surprised",
    "lookUp",    "lookDown",   "lookLeft", "lookRight", "angry",   "neutral"};

bool is_preset(std::string_view name) {
  return std::find(kPresets.begin(), kPresets.end(), name) != kPresets.end();
}

// The presets of VRM 0.x by their names in VRM 1.0.
constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kOldPresets{
    {{"a", "aa"},
     {"i", "ih"},
     {"u", "ou"},
     {"e", "ee"},
     {"o", "oh"},
     {"blink", "blink"},
     {"blink_l", "blinkLeft"},
     {"blink_r", "blinkRight"},
     {"joy", "happy"},
     {"angry", "angry"},
     {"sorrow", "sad"},
     {"fun", "relaxed"},
     {"lookup", "lookUp"},
     {"lookdown", "lookDown"},
     {"lookleft", "lookLeft"},
     {"lookright", "lookRight"},
     {"neutral", "neutral"}}};

// A range below this many degrees would divide by zero.
constexpr double kLeastRange_deg = 0.01;

// Whether a curve of Unity is the line from (0, 0) to (1, 1).
bool is_straight(const json& curve) {
  return curve == json::array({0, 0, 0, 1, 1, 1, 1, 0});  // numbers: 0 equals 0.0
}

// What the loaders of both versions share.
class FaceLoader {
 public:
  FaceLoader(Document& document, const json& checked) : document_(document), checked_(checked) {
    const json& nodes = member(checked, "nodes");
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const json& mesh = member(nodes[n], "mesh");
      if (!mesh.is_number_unsigned()) continue;
      nodes_of_mesh_[mesh.get<std::uint64_t>()].push_back(static_cast<NodeIndex>(n));
    }
  }

 protected:
  void leave_out(const std::string& where, const std::string& what) {
    document_.note("EXPRESSION_INVALID", where, what + "; left out");
  }

  std::size_t node_count() const { return member(checked_, "nodes").size(); }

  // The number of morph targets of a mesh, which has as many in each primitive.
  std::uint64_t target_count(std::uint64_t mesh) const {
    const json& meshes = member(checked_, "meshes");
    if (mesh >= meshes.size()) return 0;
    const json& primitives = member(meshes[mesh], "primitives");
    return primitives.empty() ? 0 : member(primitives[0], "targets").size();
  }

  // The number at `key`, or `otherwise` if it is absent or not a number.
  double number(const json& object, const char* key, double otherwise, const std::string& where) {
    const json& value = member(object, key);
    if (value.is_null()) return otherwise;
    if (value.is_number() && std::isfinite(value.get<double>())) return value.get<double>();
    leave_out(where + "/" + key, "the value is not a number");
    return otherwise;
  }

  bool flag(const json& object, const char* key, const std::string& where) {
    const json& value = member(object, key);
    if (value.is_boolean()) return value.get<bool>();
    if (!value.is_null()) leave_out(where + "/" + key, "the value is not true or false");
    return false;
  }

  // Calls `add_bind` with each bind of an expression and its place.
  template <class AddBind>
  void visit_binds(const json& binds, const std::string& where, const AddBind& add_bind) {
    if (!binds.is_null() && !binds.is_array()) leave_out(where, "the binds are not an array");
    for (std::size_t b = 0; binds.is_array() && b < binds.size(); ++b) {
      add_bind(binds[b], where + "/" + std::to_string(b));
    }
  }

  // Where a version has its look-at, and how it names the members.
  struct LookAtNames {
    std::string where, ranges;  // "/extensions/VRM/firstPerson", "lookAt" of "lookAtVerticalUp"
    const char *most, *scale;   // of a range
  };

  void load_look_at(const json& look, LookType type, const LookAtNames& names) {
    if (look.is_null()) return;
    if (!look.is_object()) return leave_out(names.where, "the look-at is not an object");
    const double scale = type == LookType::kExpressions ? 1 : 10;
    LookAt result;
    result.type = type;
    result.inner = range(look, "HorizontalInner", scale, names);
    result.outer = range(look, "HorizontalOuter", scale, names);
    result.down = range(look, "VerticalDown", scale, names);
    result.up = range(look, "VerticalUp", scale, names);
    document_.face.look_at = result;
  }

  // Adds an expression unless another one has its name.
  bool add(Expression expression, const std::string& where) {
    if (!names_.insert(expression.name).second) {
      leave_out(where, "a second expression " + in_quotes(expression.name));
      return false;
    }
    document_.face.expressions.push_back(std::move(expression));
    return true;
  }

  Document& document_;
  const json& checked_;
  std::map<std::uint64_t, std::vector<NodeIndex>> nodes_of_mesh_;

 private:
  LookRange range(const json& look, const char* direction, double scale, const LookAtNames& names) {
    const std::string key = names.ranges + direction, at = names.where + "/" + key;
    const json& source = member(look, key.c_str());
    if (!source.is_null() && !source.is_object())
      leave_out(at, "a range of look-at is not an object");
    LookRange result;
    result.most_deg = std::max(number(source, names.most, 90, at), kLeastRange_deg);
    result.scale = number(source, names.scale, scale, at);
    const json& curve = member(source, "curve");
    result.is_curved = !curve.is_null() && !is_straight(curve);
    return result;
  }

  std::set<std::string> names_;
};

class Vrm1Face : FaceLoader {
 public:
  using FaceLoader::FaceLoader;

  void load(const json& vrm) {
    const std::string where = "/extensions/VRMC_vrm/expressions";
    const json& expressions = member(vrm, "expressions");
    if (!expressions.is_null() && !expressions.is_object()) {
      leave_out(where, "the expressions are not an object");
    }
    for (const char* kind : {"preset", "custom"}) {
      const json& group = member(expressions, kind);
      const std::string at = where + "/" + kind;
      if (!group.is_null() && !group.is_object())
        leave_out(at, "the expressions are not an object");
      if (!group.is_object()) continue;
      for (const auto& [name, source] : group.items()) {
        const bool fits = is_preset(name) == (kind == std::string_view("preset"));
        const std::string place = at + "/" + pointer_token(name);
        if (source.is_null()) continue;
        if (fits) {
          add_expression(name, source, place);
        } else {
          leave_out(place, in_quotes(name) + " cannot be the name of a " + kind + " expression");
        }
      }
    }
    const std::string look_at = "/extensions/VRMC_vrm/lookAt";
    const json& look = member(vrm, "lookAt");
    const json& type = member(look, "type");
    if (!type.is_null() && type != "bone" && type != "expression") {
      leave_out(look_at + "/type", "the type is not 'bone' or 'expression'");
    }
    load_look_at(look, type == "expression" ? LookType::kExpressions : LookType::kBones,
                 {look_at, "rangeMap", "inputMaxValue", "outputScale"});
  }

 private:
  void add_expression(const std::string& name, const json& source, const std::string& where) {
    if (!source.is_object()) return leave_out(where, "an expression is not an object");
    Expression expression;
    expression.name = name;
    expression.is_binary = flag(source, "isBinary", where);
    expression.of_blink = override_of(source, "overrideBlink", name.starts_with("blink"), where);
    expression.of_look = override_of(source, "overrideLookAt", name.starts_with("look"), where);
    const bool is_mouth = name.size() == 2 && is_preset(name);
    expression.of_mouth = override_of(source, "overrideMouth", is_mouth, where);
    visit_binds(member(source, "morphTargetBinds"), where + "/morphTargetBinds",
                [&](const json& bind, const std::string& at) { add_bind(bind, expression, at); });
    add(std::move(expression), where);
  }

  // The specification ignores what an expression does to its own kind.
  ExpressionOverride override_of(const json& source, const char* key, bool is_own_kind,
                                 const std::string& where) {
    const json& value = member(source, key);
    if (value == "block" && !is_own_kind) return ExpressionOverride::kBlock;
    if (value == "blend" && !is_own_kind) return ExpressionOverride::kBlend;
    if (!value.is_null() && value != "none" && !is_own_kind) {
      leave_out(where + "/" + key, "the value is not 'none', 'block' or 'blend'");
    }
    return ExpressionOverride::kNone;
  }

  void add_bind(const json& bind, Expression& expression, const std::string& where) {
    const json& node = member(bind, "node");
    const json& index = member(bind, "index");
    if (!index_below(node_count(), node)) {
      return leave_out(where + "/node", "the bind does not name a node");
    }
    const json& mesh = member(member(checked_, "nodes")[node.get<std::size_t>()], "mesh");
    const std::uint64_t targets =
        mesh.is_number_unsigned() ? target_count(mesh.get<std::uint64_t>()) : 0;
    if (!index_below(targets, index)) {
      return leave_out(where + "/index", "the bind does not name a morph target of its node");
    }
    expression.binds.push_back(
        {node.get<NodeIndex>(), index.get<int>(), number(bind, "weight", 1, where)});
  }
};

class Vrm0Face : FaceLoader {
 public:
  using FaceLoader::FaceLoader;

  void load(const json& vrm) {
    const std::string where = "/extensions/VRM/blendShapeMaster/blendShapeGroups";
    const json& groups = member(member(vrm, "blendShapeMaster"), "blendShapeGroups");
    if (!groups.is_null() && !groups.is_array()) leave_out(where, "the groups are not an array");
    for (std::size_t g = 0; groups.is_array() && g < groups.size(); ++g) {
      add_group(groups[g], where + "/" + std::to_string(g));
    }
    const json& look = member(vrm, "firstPerson");
    const bool by_expressions = member(look, "lookAtTypeName") == "BlendShape";
    load_look_at(look, by_expressions ? LookType::kExpressions : LookType::kBones,
                 {"/extensions/VRM/firstPerson", "lookAt", "xRange", "yRange"});
  }

 private:
  static std::string name_of(const json& group) {
    const json& preset = member(group, "presetName");
    for (const auto& [old_name, name] : kOldPresets) {
      if (preset == old_name) return std::string(name);
    }
    const json& name = member(group, "name");
    return name.is_string() ? name.get<std::string>() : "";
  }

  void add_group(const json& group, const std::string& where) {
    Expression expression;
    expression.name = name_of(group);
    if (expression.name.empty()) return leave_out(where, "a group does not have a name");
    expression.is_binary = flag(group, "isBinary", where);
    visit_binds(member(group, "binds"), where + "/binds",
                [&](const json& bind, const std::string& at) { add_bind(bind, expression, at); });
    add(std::move(expression), where);
  }

  // Moves the target in all nodes of the mesh.
  void add_bind(const json& bind, Expression& expression, const std::string& where) {
    const json& mesh = member(bind, "mesh");
    const json& index = member(bind, "index");
    const std::optional<std::uint64_t> mesh_index = whole_number(mesh);
    const auto nodes = mesh_index ? nodes_of_mesh_.find(*mesh_index) : nodes_of_mesh_.end();
    if (nodes == nodes_of_mesh_.end()) {
      return leave_out(where + "/mesh", "the bind does not name a mesh that a node has");
    }
    if (!index_below(target_count(nodes->first), index)) {
      return leave_out(where + "/index", "the bind does not name a morph target of its mesh");
    }
    const double percent = number(bind, "weight", 100, where);
    for (const NodeIndex node : nodes->second) {
      expression.binds.push_back({node, index.get<int>(), percent / 100});
    }
  }
};

class AnimatedFace : FaceLoader {
 public:
  using FaceLoader::FaceLoader;

  void load(const json& animation) {
    const std::string where = "/extensions/VRMC_vrm_animation";
    for (const char* kind : {"preset", "custom"}) {
      const json& group = member(member(animation, "expressions"), kind);
      const std::string at = where + "/expressions/" + kind;
      if (!group.is_null() && !group.is_object())
        leave_out(at, "the expressions are not an object");
      if (!group.is_object()) continue;
      for (const auto& [name, source] : group.items()) {
        const std::string place = at + "/" + pointer_token(name);
        const NodeIndex node = node_of(source, place);
        const bool fits = is_preset(name) == (kind == std::string_view("preset"));
        if (!fits)
          leave_out(place, in_quotes(name) + " cannot be the name of a " + kind + " expression");
        if (fits && node >= 0) document_.face_nodes.expressions.push_back({name, node});
      }
    }
    const json& look = member(animation, "lookAt");
    if (!look.is_null()) document_.face_nodes.look_at = node_of(look, where + "/lookAt");
  }

 private:
  NodeIndex node_of(const json& source, const std::string& where) {
    const json& node = member(source, "node");
    if (index_below(node_count(), node)) return node.get<NodeIndex>();
    leave_out(where + "/node", "the node does not exist");
    return -1;
  }
};

}  // namespace

void load_face(Document& document, const json& gltf, const json& checked) {
  const json& extensions = member(gltf, "extensions");
  if (document.role == Role::kClip) {
    AnimatedFace(document, checked).load(member(extensions, "VRMC_vrm_animation"));
  } else if (const json& vrm = member(extensions, "VRMC_vrm");
             vrm.is_object() && document.humanoid.source != "vrm0") {
    Vrm1Face(document, checked).load(vrm);
  } else {
    Vrm0Face(document, checked).load(member(extensions, "VRM"));
  }
}

namespace {

using nlohmann::json;
using SharedNames = std::shared_ptr<const std::vector<std::string>>;

// The names of the `count` targets of a mesh; null if it does not name each target. Empty texts are
// no names unless there is one.
SharedNames read_names(const json& mesh, std::size_t count) {
  const json& source = member(member(mesh, "extras"), "targetNames");
  if (!source.is_array() || count == 0 || source.size() != count) return nullptr;
  bool has_empty = false;
  for (const json& name : source) {
    if (!name.is_string()) return nullptr;
    const auto& text = name.get_ref<const std::string&>();
    if (text.empty() && has_empty) return nullptr;
    has_empty = has_empty || text.empty();
  }
  return std::make_shared<const std::vector<std::string>>(source.get<std::vector<std::string>>());
}

}  // namespace

void load_morph_names(Document& document, const json& gltf, const json& checked) {
  std::map<std::uint64_t, SharedNames> names_of_mesh;
  const json& nodes = member(checked, "nodes");
  const json& meshes = member(gltf, "meshes");
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const json& mesh = member(nodes[n], "mesh");
    if (!mesh.is_number_unsigned()) continue;
    const auto m = mesh.get<std::uint64_t>();
    if (m >= meshes.size()) continue;  // stands for a mesh that does not exist
    const auto [known, is_new] = names_of_mesh.try_emplace(m);
    if (is_new) {
      const json& primitives = member(member(checked, "meshes")[m], "primitives");
      const std::size_t targets = primitives.empty() ? 0 : member(primitives[0], "targets").size();
      known->second = read_names(meshes[m], targets);
    }
    if (!known->second) continue;
    document.morph_names[static_cast<NodeIndex>(n)] = known->second;
  }
}

}  // namespace skinbake::gltf
