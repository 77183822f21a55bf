#include "gltf/clip_file/place_match.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace skinbake::gltf {

namespace {

using Place = std::pair<NodeIndex, std::string_view>;  // the node above, and the name
using NodesByText = std::map<std::string_view, Nodes>;

NodesByText nodes_by_text(const Skeleton& skeleton) {
  NodesByText nodes;
  for (std::size_t n = 0; n < skeleton.nodes.size(); ++n) {
    nodes[skeleton.nodes[n].name].push_back(static_cast<NodeIndex>(n));
  }
  return nodes;
}

// The nodes of the rig by their names, as far as they can have partners.
NodesByText nodes_of_rig(const NodesByText& of_clip, const Asset& rig) {
  NodesByText nodes = nodes_by_text(*rig.skeleton);
  const std::vector<char> holds = mesh_holders(rig);
  for (auto entry = nodes.begin(); entry != nodes.end();) {
    auto& [name, alike] = *entry;
    const auto found = of_clip.find(name);
    const std::size_t count = found == of_clip.end() ? 0 : found->second.size();
    if (alike.size() != count) {
      std::erase_if(alike, [&](NodeIndex n) { return holds[static_cast<std::size_t>(n)] != 0; });
    }
    const bool can_pair = alike.size() == count || (!name.empty() && count > 0 && !alike.empty());
    entry = can_pair ? std::next(entry) : nodes.erase(entry);
  }
  return nodes;
}

// The nodes of each place, ascending.
std::map<Place, Nodes> nodes_by_place(const Skeleton& skeleton, const NodesByText& by_text) {
  std::map<Place, Nodes> places;
  for (const auto& [name, nodes] : by_text) {
    for (const NodeIndex n : nodes) {
      places[{skeleton.nodes[static_cast<std::size_t>(n)].parent, name}].push_back(n);
    }
  }
  return places;
}

}  // namespace

std::vector<char> mesh_holders(const Asset& rig) {
  std::vector<char> holds(rig.skeleton->nodes.size(), 0);
  for (const Rig& r : rig.rigs) holds[static_cast<std::size_t>(r.node)] = r.skinned ? 1 : 0;
  for (const Rig& r : rig.rigs) {
    for (const Joint& joint : r.joints) holds[static_cast<std::size_t>(joint.node)] = 0;
  }
  for (const Node& node : rig.skeleton->nodes) {
    if (node.parent >= 0) holds[static_cast<std::size_t>(node.parent)] = 0;
  }
  return holds;
}

std::vector<NodeIndex> partners_by_place(const Skeleton& clip, const Asset& rig) {
  const NodesByText of_clip = nodes_by_text(clip);
  const NodesByText of_rig = nodes_of_rig(of_clip, rig);
  const std::map<Place, Nodes> clip_places = nodes_by_place(clip, of_clip);
  const std::map<Place, Nodes> rig_places = nodes_by_place(*rig.skeleton, of_rig);
  std::vector<NodeIndex> partners(clip.nodes.size(), -1);
  const auto partner_of = [&](NodeIndex node) -> NodeIndex {
    const Node& n = clip.nodes[static_cast<std::size_t>(node)];
    const auto alike = of_rig.find(n.name);
    if (alike == of_rig.end()) return -1;
    const std::size_t count = of_clip.at(n.name).size();
    const bool is_equal = alike->second.size() == count;
    if (count == 1 && is_equal && !n.name.empty()) return alike->second.front();
    if (n.parent < 0 && !is_equal) return -1;
    const NodeIndex above = n.parent < 0 ? -1 : partners[static_cast<std::size_t>(n.parent)];
    if (n.parent >= 0 && above < 0) return -1;
    const Nodes& siblings = clip_places.at({n.parent, n.name});
    const auto place = rig_places.find({above, n.name});
    if (place == rig_places.end() || place->second.size() != siblings.size()) return -1;
    const auto k = std::lower_bound(siblings.begin(), siblings.end(), node) - siblings.begin();
    return place->second[static_cast<std::size_t>(k)];
  };
  for (const NodeIndex node : clip.order)
    partners[static_cast<std::size_t>(node)] = partner_of(node);
  for (const auto& [name, nodes] : of_clip) {
    const auto alike = of_rig.find(name);
    const auto paired = std::count_if(nodes.begin(), nodes.end(), [&](NodeIndex n) {
      return partners[static_cast<std::size_t>(n)] >= 0;
    });
    if (alike == of_rig.end() || paired == std::min(std::ssize(nodes), std::ssize(alike->second)))
      continue;
    for (const NodeIndex n : nodes) partners[static_cast<std::size_t>(n)] = -1;
  }
  return partners;
}

}  // namespace skinbake::gltf
