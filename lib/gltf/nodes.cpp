// Loads the node hierarchy.

#include <algorithm>
#include <cmath>

#include "gltf/document/message_text.h"
#include "gltf/loaders.h"

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
  if (!source.matrix.empty()) {
    node.matrix = node_matrix(document, source.matrix, element);
    return node;
  }
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

std::shared_ptr<const Skeleton> load_skeleton(Document& document) {
  const std::size_t count = document.model.nodes.size();
  auto skeleton = std::make_shared<Skeleton>();
  skeleton->nodes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) skeleton->nodes.push_back(load_node(document, i));
  link_parents(document, *skeleton);
  order_parents_first(document, *skeleton);
  return skeleton;
}

}  // namespace skinbake::gltf
