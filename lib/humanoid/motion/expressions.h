// How the expressions of a VRM model combine to weights of morph targets.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "skinbake/face.h"

namespace skinbake {

class ExpressionMixer {
 public:
  // Copies what it needs of the expressions.
  explicit ExpressionMixer(std::span<const Expression> expressions);

  // The index of an expression, or nothing.
  std::optional<std::size_t> find(std::string_view name) const;

  // Whether an expression moves morph targets of a mesh node.
  bool moves(NodeIndex mesh_node) const { return binds_.contains(mesh_node); }

  // The least number of morph targets of a mesh node that has all targets which expressions move.
  std::size_t least_targets(NodeIndex mesh_node) const;

  // Changes weights of expressions, one for each, to those that are applied: within 0 … 1, those of
  // binary expressions 0 or 1, reduced by the expressions that override them.
  void combine(std::span<double> weights) const;

  // Sets the morph weights of a mesh node that expressions move: to 0, and then adds the combined
  // weights of all expressions. Weights of other targets stay. Targets beyond `morphs` are left
  // out: the face may be that of another rig.
  void apply(std::span<const double> combined, NodeIndex mesh_node, std::span<double> morphs) const;

 private:
  enum class Kind { kOther, kBlink, kLook, kMouth };
  struct Rule {
    Kind kind = Kind::kOther;
    bool is_binary = false;
    ExpressionOverride of_blink, of_look, of_mouth;
  };
  struct Bind {
    std::size_t expression = 0, target = 0;
    double weight = 0;
  };

  static Kind kind_of(std::string_view name);

  std::map<std::string, std::size_t, std::less<>> index_;
  std::vector<Rule> rules_;                       // [expression]
  std::map<NodeIndex, std::vector<Bind>> binds_;  // by mesh node
};

}  // namespace skinbake
