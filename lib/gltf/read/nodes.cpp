// Loads the node hierarchy.

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/nearest_word.h"
#include "gltf/document/message_text.h"
#include "gltf/read/loaders.h"

namespace skinbake::gltf {

namespace {

// Exporters compute and invert matrices in float, so the last row contains rounding errors.
constexpr double kMatrixRowTolerance = 1e-4;

Element node_element(const Document& document, std::size_t i) {
  return {describe("node", i, document.model.nodes[i].name), "/nodes/" + std::to_string(i)};
}

Affine<double> node_matrix(const Document& document, const std::vector<double>& m,
                           const Element& element) {
  const double rest[] = {m[3], m[7], m[11], m[15] - 1};
  for (const double number : rest) {
    if (std::abs(number) <= kMatrixRowTolerance) continue;
    document.fail("MATRIX_NOT_AFFINE", element, "has a matrix whose last row is not 0 0 0 1");
  }
  return {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}};
}

// The length of four numbers. They are divided by a power of two, so that no square overflows.
double length_of(const std::vector<double>& r) {
  const double largest = std::max({std::abs(r[0]), std::abs(r[1]), std::abs(r[2]), std::abs(r[3])});
  if (largest == 0 || !std::isfinite(largest)) return largest;
  const int exponent = std::ilogb(largest);
  double squares = 0;
  for (const double number : r) {
    const double scaled = std::scalbn(number, -exponent);
    squares += scaled * scaled;
  }
  return std::scalbn(std::sqrt(squares), exponent);
}

Quat<double> rest_rotation(Document& document, const std::vector<double>& r,
                           const Element& element) {
  const double length = length_of(r);
  if (length == 0) {
    document.note("QUATERNION_ZERO", element.pointer + "/rotation",
                  element.name + " has a rotation of length zero; the identity is used");
  } else if (!(std::abs(length - 1) <= kUnitTolerance)) {
    document.note("QUATERNION_NOT_UNIT", element.pointer + "/rotation",
                  element.name + " has a rotation that is not of unit length; normalised");
  }
  if (length == 0 || !std::isfinite(length)) return {1, 0, 0, 0};
  return {r[3] / length, r[0] / length, r[1] / length, r[2] / length};
}

Node load_node(Document& document, std::size_t i) {
  const Model::Node& source = document.model.nodes[i];
  const Element element = node_element(document, i);
  Node node;
  node.name = source.name;
  if (!source.matrix.empty()) node.matrix = kIdentity;
  const Fault fault = document.fault_of([&] {
    document.require_element("nodes", static_cast<int>(i));
    if (node.matrix) node.matrix = node_matrix(document, source.matrix, element);
  });
  if (fault) {
    document.note_fault(element.name, element.pointer, *fault);
    document.node_faults.resize(document.model.nodes.size());
    document.node_faults[i] = fault;
  }
  if (node.matrix) return node;
  if (const auto& t = source.translation; !t.empty()) node.translation = {t[0], t[1], t[2]};
  if (const auto& s = source.scale; !s.empty()) node.scale = {s[0], s[1], s[2]};
  if (!source.rotation.empty()) node.rotation = rest_rotation(document, source.rotation, element);
  return node;
}

void link_parents(const Document& document, Skeleton& skeleton) {
  for (std::size_t i = 0; i < skeleton.nodes.size(); ++i) {
    for (const int child : document.model.nodes[i].children) {
      NodeIndex& parent = skeleton.nodes[static_cast<std::size_t>(child)].parent;
      if (parent != -1) {
        document.fail("NODE_PARENTS", node_element(document, static_cast<std::size_t>(child)),
                      "has more than one parent");
      }
      parent = static_cast<NodeIndex>(i);
    }
  }
}

// Orders roots as in the file, then the nodes level by level, without recursion: the hierarchy may
// have any depth.
void order_parents_first(const Document& document, Skeleton& skeleton) {
  std::vector<bool> reached(skeleton.nodes.size());
  std::vector<NodeIndex>& order = skeleton.order;
  order.reserve(skeleton.nodes.size());
  for (std::size_t i = 0; i < skeleton.nodes.size(); ++i) {
    if (skeleton.nodes[i].parent == -1) order.push_back(static_cast<NodeIndex>(i));
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto node = static_cast<std::size_t>(order[k]);
    reached[node] = true;
    const std::vector<int>& children = document.model.nodes[node].children;
    order.insert(order.end(), children.begin(), children.end());
  }
  const auto lost = std::find(reached.begin(), reached.end(), false);
  if (lost == reached.end()) return;
  document.fail("NODE_CYCLE",
                node_element(document, static_cast<std::size_t>(lost - reached.begin())),
                "is its own ancestor");
}

}  // namespace

void require_nodes(const Document& document, std::span<const NodeIndex> nodes) {
  if (document.node_faults.empty()) return;
  for (const NodeIndex node : nodes) {
    const Fault& fault = document.node_faults[static_cast<std::size_t>(node)];
    if (fault) throw Error(*fault);
  }
}

std::shared_ptr<const Skeleton> load_skeleton(Document& document) {
  const std::size_t count = document.model.nodes.size();
  auto skeleton = std::make_shared<Skeleton>();
  skeleton->nodes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) skeleton->nodes.push_back(load_node(document, i));
  link_parents(document, *skeleton);
  order_parents_first(document, *skeleton);
  if (document.node_faults.empty()) return skeleton;
  for (const NodeIndex node : skeleton->order) {
    const NodeIndex parent = skeleton->nodes[static_cast<std::size_t>(node)].parent;
    Fault& fault = document.node_faults[static_cast<std::size_t>(node)];
    if (parent >= 0 && !fault) fault = document.node_faults[static_cast<std::size_t>(parent)];
  }
  return skeleton;
}

// Scenes: the chosen one, its mesh nodes, and the mesh nodes outside it.

namespace {

constexpr std::size_t kScenesShown = 20;

std::vector<int> scene_roots(const Document& document) {
  const Model& model = document.model;
  if (document.scene >= 0) return model.scenes[static_cast<std::size_t>(document.scene)].nodes;
  std::vector<bool> is_child(model.nodes.size());
  for (const Model::Node& node : model.nodes) {
    for (const int child : node.children) is_child[static_cast<std::size_t>(child)] = true;
  }
  std::vector<int> roots;
  for (std::size_t i = 0; i < is_child.size(); ++i) {
    if (!is_child[i]) roots.push_back(static_cast<int>(i));
  }
  return roots;
}

// Returns, for each node, the first scene that lists the node or an ancestor of it, or -1.
std::vector<int> scenes_of_nodes(const Document& document, const Skeleton& skeleton) {
  std::vector<int> scene_of(skeleton.nodes.size(), -1);
  const auto& scenes = document.model.scenes;
  for (std::size_t s = scenes.size(); s-- > 0;) {
    for (const int root : scenes[s].nodes) {
      scene_of[static_cast<std::size_t>(root)] = static_cast<int>(s);
    }
  }
  for (const NodeIndex node : skeleton.order) {
    const NodeIndex parent = skeleton.nodes[static_cast<std::size_t>(node)].parent;
    int& scene = scene_of[static_cast<std::size_t>(node)];
    if (scene < 0 && parent >= 0) scene = scene_of[static_cast<std::size_t>(parent)];
  }
  return scene_of;
}

// Returns, for each node, the number of mesh nodes among itself and its descendants.
std::vector<std::int64_t> mesh_nodes_below(const Document& document, const Skeleton& skeleton) {
  std::vector<std::int64_t> below(skeleton.nodes.size());
  for (auto n = skeleton.order.rbegin(); n != skeleton.order.rend(); ++n) {
    const auto node = static_cast<std::size_t>(*n);
    below[node] += document.model.nodes[node].mesh >= 0;
    const NodeIndex parent = skeleton.nodes[node].parent;
    if (parent >= 0) below[static_cast<std::size_t>(parent)] += below[node];
  }
  return below;
}

std::string scene_text(const Document& document, int scene) {
  const std::string& name = document.model.scenes[static_cast<std::size_t>(scene)].name;
  return "scene " + std::to_string(scene) + (name.empty() ? "" : " " + in_quotes(name));
}

}  // namespace

int chosen_scene(const Document& document, const std::string& wanted) {
  const auto& scenes = document.model.scenes;
  if (wanted.empty()) return scenes.empty() ? -1 : std::max(document.model.default_scene, 0);
  for (std::size_t s = 0; s < scenes.size(); ++s) {
    if (scenes[s].name == wanted) return static_cast<int>(s);
  }
  std::size_t number = 0;
  const char* end = wanted.data() + wanted.size();
  const auto [rest, error] = std::from_chars(wanted.data(), end, number);
  if (error == std::errc{} && rest == end && number < scenes.size()) {
    return static_cast<int>(number);
  }
  std::vector<std::string> words;
  for (const auto& scene : scenes) words.push_back(scene.name);
  std::string names;
  for (std::size_t s = 0; s < scenes.size() && s < kScenesShown; ++s) {
    names += (s == 0 ? "" : ", ") + std::to_string(s) +
             (scenes[s].name.empty() ? "" : " " + in_quotes(scenes[s].name));
  }
  throw Error("SCENE_UNKNOWN",
              "the file does not have a scene " + in_quotes(wanted) + "; its scenes are: " +
                  (names.empty() ? "none" : names + (scenes.size() > kScenesShown ? ", …" : "")) +
                  did_you_mean(wanted, words),
              {document.path, "/scenes"});
}

std::vector<NodeIndex> scene_mesh_nodes(const Document& document) {
  const std::vector<Model::Node>& nodes = document.model.nodes;
  std::vector<bool> visited(nodes.size());
  std::vector<int> pending = scene_roots(document);
  while (!pending.empty()) {
    const auto node = static_cast<std::size_t>(pending.back());
    pending.pop_back();
    if (visited[node]) continue;
    visited[node] = true;
    pending.insert(pending.end(), nodes[node].children.begin(), nodes[node].children.end());
  }
  std::vector<NodeIndex> mesh_nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (visited[i] && nodes[i].mesh >= 0) mesh_nodes.push_back(static_cast<NodeIndex>(i));
  }
  return mesh_nodes;
}

void note_left_out(Document& document, const Skeleton& skeleton,
                   const std::vector<NodeIndex>& mesh_nodes) {
  const Model& model = document.model;
  std::vector<bool> is_read(model.nodes.size()), has_node(model.meshes.size());
  for (const NodeIndex node : mesh_nodes) is_read[static_cast<std::size_t>(node)] = true;
  std::vector<int> scene_of;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const int mesh = model.nodes[n].mesh;
    if (mesh < 0) continue;
    has_node[static_cast<std::size_t>(mesh)] = true;
    if (is_read[n]) continue;
    if (scene_of.empty()) scene_of = scenes_of_nodes(document, skeleton);
    document.note("MESHES_NOT_IN_SCENE", "/nodes/" + std::to_string(n),
                  describe("node", n, model.nodes[n].name) + " with " +
                      describe("mesh", static_cast<std::size_t>(mesh),
                               model.meshes[static_cast<std::size_t>(mesh)].name) +
                      " is in " +
                      (scene_of[n] < 0 ? "no scene" : scene_text(document, scene_of[n])) +
                      "; left out");
  }
  for (std::size_t m = 0; m < has_node.size(); ++m) {
    if (has_node[m]) continue;
    document.note("MESH_UNUSED", "/meshes/" + std::to_string(m),
                  describe("mesh", m, model.meshes[m].name) + " is not used by a node; left out");
  }
}

void note_hidden(Document& document, const Skeleton& skeleton,
                 const std::vector<NodeIndex>& mesh_nodes) {
  if (document.hidden_nodes.empty()) return;
  std::vector<bool> is_hidden(skeleton.nodes.size());
  for (const int node : document.hidden_nodes) is_hidden[static_cast<std::size_t>(node)] = true;
  for (const NodeIndex node : skeleton.order) {
    const NodeIndex parent = skeleton.nodes[static_cast<std::size_t>(node)].parent;
    if (parent >= 0 && is_hidden[static_cast<std::size_t>(parent)]) {
      is_hidden[static_cast<std::size_t>(node)] = true;
    }
  }
  for (const NodeIndex node : mesh_nodes) {
    const auto n = static_cast<std::size_t>(node);
    if (!is_hidden[n]) continue;
    document.note("EXTENSION_IGNORED", "/nodes/" + std::to_string(n),
                  "mesh " + describe("node", n, document.model.nodes[n].name) +
                      " is hidden by KHR_node_visibility, and is read like a visible one; leave "
                      "it out if it should not count");
  }
}

void note_scenes(Document& document, const Skeleton& skeleton) {
  const std::vector<Model::Scene>& scenes = document.model.scenes;
  for (std::size_t s = 0; s < scenes.size(); ++s) {
    const std::string pointer = "/scenes/" + std::to_string(s);
    if (const auto fault = document.faults.find(pointer); fault != document.faults.end()) {
      document.note_fault(scene_text(document, static_cast<int>(s)), pointer, *fault->second);
    }
    for (std::size_t i = 0; i < scenes[s].nodes.size(); ++i) {
      const auto node = static_cast<std::size_t>(scenes[s].nodes[i]);
      const NodeIndex parent = skeleton.nodes[node].parent;
      if (parent < 0) continue;
      document.note("SCENE_NODE_HAS_PARENT", pointer + "/nodes/" + std::to_string(i),
                    scene_text(document, static_cast<int>(s)) + " lists " +
                        describe("node", node, skeleton.nodes[node].name) + ", a child of node " +
                        std::to_string(parent) + ", with which it moves");
    }
  }
}

std::vector<SceneSummary> summarise_scenes(const Document& document, const Skeleton& skeleton) {
  const std::vector<std::int64_t> below = mesh_nodes_below(document, skeleton);
  std::vector<SceneSummary> summaries;
  for (const Model::Scene& scene : document.model.scenes) {
    SceneSummary summary{scene.name, 0, static_cast<int>(summaries.size()) == document.scene};
    for (const int root : scene.nodes) summary.mesh_nodes += below[static_cast<std::size_t>(root)];
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

}  // namespace skinbake::gltf
