#include "gltf/write/change_writers.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "clip/sampling/clip_tracks.h"
#include "gltf/write/own_elements.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

constexpr int kUint8Component = 5121, kUint16Component = 5123;
constexpr double kMaxFraction = 65535;  // of an unsigned short that stands for a fraction
constexpr std::size_t kPerSet = 4;
constexpr std::size_t kMostByteJoints = 256;  // more joints need indices of 16 bits

std::span<const Influence> influences_of(const RigChanges& changes, VertexIndex v) {
  return {changes.influences.data() + changes.first_influence[v],
          changes.influences.data() + changes.first_influence[v + 1]};
}

std::size_t set_count(const RigChanges& changes) {
  std::size_t most = 1;
  for (VertexIndex v = 0; v < changes.rig->mesh->vertex_count(); ++v) {
    most = std::max(most, influences_of(changes, v).size());
  }
  return (most + kPerSet - 1) / kPerSet;
}

// The joints of a rig whose mesh has a primitive without joints end with the node of the mesh,
// which that primitive follows. The skin does not list this joint.
struct SkinJoints {
  std::size_t listed = 0;    // by the skin of the file, without helpers
  std::size_t unlisted = 0;  // 0 or 1

  // The number of a joint of the changes in the written skin.
  std::size_t number_of(JointIndex joint) const {
    return joint < listed ? joint : joint - unlisted;
  }
};

SkinJoints joints_of(DocumentWriter& writer, const RigChanges& changes) {
  const json& node = writer.current()["nodes"][static_cast<std::size_t>(changes.rig->node)];
  const std::size_t listed =
      writer.current()["skins"][node.at("skin").get<std::size_t>()]["joints"].size();
  assert(listed <= changes.rig->joints.size());
  return {listed, changes.rig->joints.size() - listed};
}

// Whether a primitive does not have joints.
bool follows_node(const RigChanges& changes, const SkinJoints& joints, const Primitive& vertices) {
  if (joints.unlisted == 0 || vertices.vertex_count == 0) return false;
  return influences_of(changes, vertices.first_vertex)[0].joint == joints.listed;
}

// The influences of one set of a primitive. Shapes [vertex][slot]; free slots are zero.
struct WrittenSet {
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;
};

WrittenSet influence_set(const RigChanges& changes, const SkinJoints& joints,
                         const Primitive& vertices, std::size_t set) {
  WrittenSet values;
  values.joints.resize(vertices.vertex_count * kPerSet);
  values.weights.resize(vertices.vertex_count * kPerSet);
  for (VertexIndex k = 0; k < vertices.vertex_count; ++k) {
    const std::span<const Influence> mine = influences_of(changes, vertices.first_vertex + k);
    for (std::size_t i = set * kPerSet; i < std::min(mine.size(), (set + 1) * kPerSet); ++i) {
      const std::size_t at = std::size_t{k} * kPerSet + i % kPerSet;
      values.joints[at] = static_cast<std::uint16_t>(joints.number_of(mine[i].joint));
      values.weights[at] = static_cast<float>(mine[i].weight);
    }
  }
  return values;
}

std::size_t add_joints(DocumentWriter& writer, const std::vector<std::uint16_t>& joints,
                       bool in_bytes) {
  const std::size_t view =
      in_bytes ? writer.add_elements(bytes_as<std::uint8_t>(joints), {kPerSet, false})
               : writer.add_elements(bytes_as<std::uint16_t>(joints),
                                     {kPerSet * sizeof(std::uint16_t), false});
  const std::size_t accessor = writer.add_accessor(view, "VEC4", joints.size() / kPerSet);
  writer.document().element("accessors", accessor)["componentType"] =
      in_bytes ? kUint8Component : kUint16Component;
  return accessor;
}

// The weights as multiples of 1 / 65535; none: some are not.
std::optional<std::vector<std::uint16_t>> fractions_of(const std::vector<float>& weights) {
  std::vector<std::uint16_t> fractions;
  for (const float weight : weights) {
    const auto fraction = static_cast<std::uint16_t>(double{weight} * kMaxFraction + 0.5);
    if (static_cast<float>(fraction / kMaxFraction) != weight) return {};
    fractions.push_back(fraction);
  }
  return fractions;
}

std::size_t add_weights(DocumentWriter& writer, const std::vector<float>& weights) {
  const std::size_t count = weights.size() / kPerSet;
  std::optional<std::vector<std::uint16_t>> fractions;
  if (writer.encoding().quantize) fractions = fractions_of(weights);
  if (!fractions) return writer.add_accessor(writer.add_elements(weights, kPerSet), "VEC4", count);
  const std::size_t view = writer.add_elements(bytes_as<std::uint16_t>(*fractions),
                                               {kPerSet * sizeof(std::uint16_t), false});
  const std::size_t accessor = writer.add_accessor(view, "VEC4", count);
  json& about = writer.document().element("accessors", accessor);
  about["componentType"] = kUint16Component;
  about["normalized"] = true;
  return accessor;
}

// An order of primitives by the influences of their vertices. Primitives with equal influences are
// equal. A search among many primitives therefore does not compare all of them.
struct ByInfluences {
  const RigChanges* changes;  // not null

  bool operator()(const Primitive& a, const Primitive& b) const {
    if (a.vertex_count != b.vertex_count) return a.vertex_count < b.vertex_count;
    for (VertexIndex k = 0; k < a.vertex_count; ++k) {
      const std::span<const Influence> mine = influences_of(*changes, a.first_vertex + k);
      const std::span<const Influence> other = influences_of(*changes, b.first_vertex + k);
      if (mine.size() != other.size()) return mine.size() < other.size();
      for (std::size_t i = 0; i < mine.size(); ++i) {
        if (mine[i].joint != other[i].joint) return mine[i].joint < other[i].joint;
        if (mine[i].weight != other[i].weight) return mine[i].weight < other[i].weight;
      }
    }
    return false;
  }
};

// The accessors of one set.
struct SetAccessors {
  std::size_t joints = 0, weights = 0;
};

std::vector<SetAccessors> add_sets(DocumentWriter& writer, const RigChanges& changes,
                                   const SkinJoints& joints, const Primitive& vertices,
                                   std::size_t count) {
  const bool in_bytes = joints.listed + changes.helpers.size() <= kMostByteJoints;
  std::vector<SetAccessors> sets(count);
  for (std::size_t set = 0; set < sets.size(); ++set) {
    const WrittenSet values = influence_set(changes, joints, vertices, set);
    sets[set].joints = add_joints(writer, values.joints, in_bytes);
    sets[set].weights = add_weights(writer, values.weights);
  }
  return sets;
}

void replace_sets(const std::vector<SetAccessors>& sets, json& primitive) {
  std::vector<std::string> old_sets;  // their numbers may have gaps
  for (const auto& [name, accessor] : primitive["attributes"].items()) {
    if (name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_")) old_sets.push_back(name);
  }
  for (const std::string& name : old_sets) erase_attribute(primitive, name);
  for (std::size_t set = 0; set < sets.size(); ++set) {
    replace_attribute(primitive, "JOINTS_" + std::to_string(set), sets[set].joints);
    replace_attribute(primitive, "WEIGHTS_" + std::to_string(set), sets[set].weights);
  }
}

// Primitives with equal influences share them.
void replace_influences(DocumentWriter& writer, const RigChanges& changes, json& mesh) {
  const std::vector<Primitive>& primitives = changes.rig->mesh->primitives;
  const SkinJoints joints = joints_of(writer, changes);
  const std::size_t count = set_count(changes);
  std::map<Primitive, std::vector<SetAccessors>, ByInfluences> sets{ByInfluences{&changes}};
  for (std::size_t p = 0; p < primitives.size(); ++p) {
    if (follows_node(changes, joints, primitives[p])) continue;
    const auto [equal, is_new] = sets.try_emplace(primitives[p]);
    if (is_new && primitives[p].vertex_count > 0) {
      equal->second = add_sets(writer, changes, joints, primitives[p], count);
    }
    replace_sets(equal->second, mesh["primitives"][p]);
  }
}

void append_matrix(const Affine<double>& m, std::vector<float>& to) {
  for (const auto& [column, last] :
       {std::pair{m.x, 0.0F}, {m.y, 0.0F}, {m.z, 0.0F}, {m.translation, 1.0F}}) {
    for (const double x : {column.x, column.y, column.z}) to.push_back(static_cast<float>(x));
    to.push_back(last);
  }
}

// The name with the next number that no node has: programs find joints by their names, and other
// meshes of the file may have helpers too, also of an earlier fit.
std::string unused_joint_name(EditedDocument& document, const std::string& name) {
  const std::string stem = name.substr(0, name.rfind('.') + 1);
  std::string unused = name;
  for (std::size_t number = 0; document.has_node(unused); ++number) {
    unused = stem + std::to_string(number);
  }
  return unused;
}

// Appends a node below its parent. Returns its index.
std::size_t add_node(DocumentWriter& writer, const HelperJoint& helper) {
  EditedDocument& document = writer.document();
  const auto& [r, t] = helper.rest;
  const std::size_t index =
      document.append("nodes", {{"name", unused_joint_name(document, helper.name)},
                                {"rotation", {r.x, r.y, r.z, r.w}},
                                {"translation", {t.x, t.y, t.z}}});
  json& children = document.element("nodes", static_cast<std::size_t>(helper.parent))["children"];
  if (!children.is_array()) children = json::array();
  children.push_back(index);
  return index;
}

// Appends the helpers to the joints of the skin. Returns their nodes.
std::vector<std::size_t> add_helpers(DocumentWriter& writer, const RigChanges& changes) {
  const std::size_t skin = own_skin(writer, static_cast<std::size_t>(changes.rig->node));
  const std::size_t listed = joints_of(writer, changes).listed;
  std::vector<float> matrices;
  for (std::size_t j = 0; j < listed; ++j) {
    append_matrix(changes.rig->joints[j].joint_from_model, matrices);
  }
  std::vector<std::size_t> nodes;
  for (const HelperJoint& helper : changes.helpers) {
    append_matrix(helper.joint_from_model, matrices);
    nodes.push_back(add_node(writer, helper));
    writer.document().element("skins", skin)["joints"].push_back(nodes.back());
  }
  const std::size_t count = listed + changes.helpers.size();
  assert(writer.current()["skins"][skin]["joints"].size() == count);
  const std::size_t view = writer.add_view(std::move(matrices));
  const std::size_t accessor = writer.add_accessor(view, "MAT4", count);
  writer.document().element("skins", skin)["inverseBindMatrices"] = accessor;
  return nodes;
}

void add_channel(DocumentWriter& writer, json& animation, std::size_t node, const char* path,
                 std::size_t times, const std::vector<float>& keys, std::size_t width) {
  const std::size_t values = writer.add_accessor(writer.add_elements(keys, width),
                                                 width == 4 ? "VEC4" : "VEC3", keys.size() / width);
  animation["channels"].push_back(
      {{"sampler", animation["samplers"].size()}, {"target", {{"node", node}, {"path", path}}}});
  animation["samplers"].push_back(
      {{"input", times}, {"output", values}, {"interpolation", "LINEAR"}});
}

void animate_helpers(DocumentWriter& writer, const ClipKeys& keys,
                     const std::vector<std::size_t>& nodes) {
  const std::size_t times = writer.add_times(key_times(keys.frames));
  const auto index = static_cast<std::size_t>(keys.clip->index);
  json& animation = writer.document().element("animations", index);
  for (std::size_t h = 0; h < nodes.size(); ++h) {
    add_channel(writer, animation, nodes[h], "rotation", times, keys.helper_rotations[h], 4);
    add_channel(writer, animation, nodes[h], "translation", times, keys.helper_translations[h], 3);
  }
}

}  // namespace

void add_skin(DocumentWriter& writer, const RigChanges& changes) {
  if (changes.first_influence.empty()) return;
  const std::size_t index = own_mesh(writer, static_cast<std::size_t>(changes.rig->node));
  json mesh = writer.current()["meshes"][index];
  replace_influences(writer, changes, mesh);
  writer.document().element("meshes", index) = std::move(mesh);
  if (changes.helpers.empty()) return;
  const std::vector<std::size_t> nodes = add_helpers(writer, changes);
  for (const ClipKeys& keys : changes.clips) animate_helpers(writer, keys, nodes);
}

}  // namespace skinbake::gltf
