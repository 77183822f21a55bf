// What the data of two rigs have different: the causes of different frames.

#pragma once

#include <string>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake {

// What differs between two meshes with their skins, each a sentence without an end: "the order of
// the vertices differs", or, by the names of joints: "WEIGHTS_0 differs at 40 vertices around
// 'upperarm.l'", "the inverse bind of 'hand.l' differs", "POSITION differs at 3 vertices", "the
// triangles differ: 2 are only in A, 0 only in B". Data are equal if all their numbers are.
// Precondition: both rigs are valid.
std::vector<std::string> mesh_differences(const Rig& a, const Rig& b);

// What differs between two clips, by the names of nodes: "the channel 'upperarm.l' rotation differs
// from 0.4 s on", "the channel 'hand.l' scale is only in A". Null: the rest pose. Precondition:
// each clip moves its skeleton.
std::vector<std::string> clip_differences(const Skeleton& a, const Clip* clip_a, const Skeleton& b,
                                          const Clip* clip_b);

// What differs between the nodes at rest: "the rest rotation of 'hand.l' differs". Nodes of unequal
// number that have no partner are named.
std::vector<std::string> node_differences(const Skeleton& a, const Skeleton& b);

}  // namespace skinbake
