// The rest poses of a clip's file and of a rig: whether keys mean the same on nodes of both, and
// the change that gives them the same meaning.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gltf/clip_file/key_change.h"
#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake::gltf {

// A node of a clip's file, the node of the rig that it moves, and the properties with keys.
struct NodePair {
  NodeIndex from = -1, to = -1;
  bool turns = false, moves = false, scales = false;  // rotation, translation, scale
};

// The rest pose of every node in the scene.
struct RestFrames {
  // The skeleton must outlive the object.
  explicit RestFrames(const Skeleton& skeleton);

  const Skeleton& skeleton;
  std::vector<Affine<double>> scene;    // [node] scene_from_node
  std::vector<Quat<double>> rotations;  // [node] the product of the local rotations
  std::vector<std::size_t> rank;        // [node] position in Skeleton::order
};

// Compares the rest poses of partners: rotations, translations and scales of nodes with such keys.
//
// If a clip has keys of a translation, the rest translations of all partners count; a clip of
// rotations alone means the same on limbs of any length. If all partners lie at their parents, in
// the clip's file and in the rig, the scales of the nodes above and the lengths below tell the
// unit. If only those of the clip's file do, and no node above scales them, it does not store a
// rest pose: its keys are those of the rig.
class RestComparison {
 public:
  enum class Relation {
    kSame,   // the rest poses agree
    kUnit,   // rotations agree, and one factor makes the translations equal, or the nodes above
    kOther,  // other axes, another pose or other proportions
  };

  // `below`: the partners below those of `pairs`, which do not have keys. The other arguments must
  // outlive the object.
  RestComparison(const RestFrames& from, const RestFrames& to, std::span<const NodePair> pairs,
                 std::span<const NodePair> below = {});

  Relation relation() const { return relation_; }

  // The change of a pair's keys. kSame: none. kUnit: translations are multiplied by the factor, and
  // scales by the ratio of the rest scales. kOther: with P the rotation of the node above at rest,
  // R and T the rotation and the translation of the node at rest, and ' for the rig,
  //
  //     q' = A q R^-1 A^-1 R'    t' = T' + r A (t - T)    A = P'^-1 P
  //
  // turns a node about the same axis of the scene, and keeps the lengths of the rig's bones; r is
  // the ratio of the characters' heights, in the units of the nodes. Scales are as for kUnit.
  KeyChange change(const NodePair& pair) const;

  // "its translations are multiplied by 0.01". Empty: no key changes, or, of kOther, no unit does.
  std::string unit_text() const;

  // The partners that rest differently, ten at most, the largest rotation first: "'arm' by 45.0
  // degrees and 0.02 m", in the unit of the rig.
  std::string differences() const;

 private:
  struct Difference;

  double factor(const NodePair& pair) const;
  bool agrees(const NodePair& pair, double factor) const;
  double tolerance_m(const NodePair& pair) const;
  bool has_scale(const NodePair& pair) const;
  bool has_unit(const NodePair& pair) const;
  Quat<double> axes(const NodePair& pair) const;
  Difference difference_of(const NodePair& pair) const;

  const RestFrames& from_;
  const RestFrames& to_;
  std::span<const NodePair> pairs_;
  bool moves_ = false;          // a pair has keys of a translation
  bool has_lengths_ = false;    // the clip's file stores rest translations
  bool has_unit_ = false;       // the clip's file tells the unit of its translations
  bool has_rotations_ = false;  // the clip's file stores rest rotations
  double diagonal_m_ = 0;       // of the rig's partners
  double size_ratio_ = 1;       // of lengths in the rig's scene and in the scene of the clip's file
  Quat<double> scenes_{1, 0, 0, 0};  // from the scene of the clip's file to the rig's
  Relation relation_ = Relation::kSame;
};

// Whether a channel for translations or scales has no key but the rest pose of its node: exporters
// write these also where they do not change.
bool keeps_rest(const Channel& channel, const Skeleton& skeleton);

}  // namespace skinbake::gltf
