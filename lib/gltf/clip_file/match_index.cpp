#include "gltf/clip_file/match_index.h"

#include <algorithm>

#include "gltf/clip_file/place_match.h"

namespace skinbake::gltf {
namespace {

void prefer_joints(const std::vector<char>& holders, NodesByName& by_name) {
  const auto holds_mesh = [&](NodeIndex n) { return holders[static_cast<std::size_t>(n)] != 0; };
  for (auto& [name, nodes] : by_name) {
    if (!std::all_of(nodes.begin(), nodes.end(), holds_mesh)) std::erase_if(nodes, holds_mesh);
  }
}

}  // namespace

std::string folded(std::string name) {
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

Nodes moving_nodes(const Rig& rig) {
  // A mesh that was not read does not have influences.
  std::vector<char> moves(rig.joints.size(), rig.influences.empty() ? 1 : 0);
  for (const Influence& influence : rig.influences) moves[influence.joint] = 1;
  Nodes nodes;
  for (std::size_t j = 0; j < moves.size(); ++j) {
    if (moves[j] != 0) nodes.push_back(rig.joints[j].node);
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

MatchIndex::MatchIndex(const ClipFile& file, const Asset& rig)
    : by_name(nodes_by_name(rig.skeleton->nodes)),
      clip_nodes(nodes_by_name(file.skeleton->nodes)),
      partner_by_place(partners_by_place(*file.skeleton, rig)),
      clip_rest(*file.skeleton),
      rig_rest(*rig.skeleton) {
  for (const auto& [name, nodes] : by_name) {
    Nodes& alike = by_folded[folded(name)];
    alike.insert(alike.end(), nodes.begin(), nodes.end());
  }
  for (auto& [name, nodes] : by_folded) std::sort(nodes.begin(), nodes.end());
  const std::vector<char> holders = mesh_holders(rig);
  prefer_joints(holders, by_name);
  prefer_joints(holders, by_folded);
  for (const Rig& r : rig.rigs) moving.push_back(moving_nodes(r));
}

}  // namespace skinbake::gltf
