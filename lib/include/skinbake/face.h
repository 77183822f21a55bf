// Faces of VRM models: expressions, which are named weights of morph targets, and look-at, by which
// the eyes follow a direction.
//
// VRM Consortium. VRMC_vrm-1.0, "Expressions" and "LookAt". 2022.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// A morph target that an expression moves.
struct MorphBind {
  NodeIndex node = -1;  // a mesh node
  int target = 0;
  double weight = 1;  // added to the weight of the target by the expression at weight 1
};

// What an expression does to the expressions of one kind: nothing, or it sets their weights to 0 as
// soon as its own is above 0, or it reduces them by its own.
enum class ExpressionOverride { kNone, kBlock, kBlend };

struct Expression {
  std::string name;        // "happy", "blinkLeft", … of VRM 1.0, or a name that the author chose
  bool is_binary = false;  // the weight counts as 1 above 0.5, otherwise as 0
  // What it does to the expressions of the lids, the eyes and the mouth. None for its own kind.
  ExpressionOverride of_blink = ExpressionOverride::kNone;
  ExpressionOverride of_look = ExpressionOverride::kNone;
  ExpressionOverride of_mouth = ExpressionOverride::kNone;
  std::vector<MorphBind> binds;
};

// scale * min(|degrees|, most_deg) / most_deg: the rotation of an eye in degrees, or the weight of
// an expression.
struct LookRange {
  double most_deg = 90;
  double scale = 10;
  bool is_curved = false;  // VRM 0.x defines a curve, which is not evaluated
};

// Whether look-at rotates the bones of the eyes or drives the expressions lookUp, lookDown,
// lookLeft and lookRight.
enum class LookType { kBones, kExpressions };

struct LookAt {
  LookType type = LookType::kBones;
  LookRange inner, outer;  // towards the nose, and away from it
  LookRange down, up;
};

struct Face {
  std::vector<Expression> expressions;  // their names differ
  std::optional<LookAt> look_at;
};

// The nodes of a VRM animation that drive a face.
struct FaceNodes {
  struct Driver {
    std::string expression;
    NodeIndex node = -1;  // its translation along x is the weight
  };
  std::vector<Driver> expressions;
  // Its local rotation is the direction of the eyes: the third axis, relative to the head, whose
  // axes are the character's; -1: there is none.
  NodeIndex look_at = -1;
};

}  // namespace skinbake
