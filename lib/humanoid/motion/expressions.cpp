// VRM Consortium. VRMC_vrm-1.0, "Expressions": procedural override, and the update algorithm. 2022.

#include "humanoid/motion/expressions.h"

#include <algorithm>
#include <array>

namespace skinbake {

namespace {

// How much an expression of this weight takes from those that it overrides.
double taken(ExpressionOverride by, double weight) {
  if (by == ExpressionOverride::kBlock) return weight > 0 ? 1 : 0;
  return by == ExpressionOverride::kBlend ? weight : 0;
}

}  // namespace

ExpressionMixer::Kind ExpressionMixer::kind_of(std::string_view name) {
  constexpr std::array<std::string_view, 3> kBlinks{"blink", "blinkLeft", "blinkRight"};
  constexpr std::array<std::string_view, 4> kLooks{"lookUp", "lookDown", "lookLeft", "lookRight"};
  constexpr std::array<std::string_view, 5> kMouths{"aa", "ih", "ou", "ee", "oh"};
  const auto is_in = [&](const auto& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return is_in(kBlinks)   ? Kind::kBlink
         : is_in(kLooks)  ? Kind::kLook
         : is_in(kMouths) ? Kind::kMouth
                          : Kind::kOther;
}

ExpressionMixer::ExpressionMixer(std::span<const Expression> expressions) {
  for (const Expression& e : expressions) {
    const std::size_t index = rules_.size();
    index_.emplace(e.name, index);
    rules_.push_back({kind_of(e.name), e.is_binary, e.of_blink, e.of_look, e.of_mouth});
    for (const MorphBind& bind : e.binds) {
      binds_[bind.node].push_back({index, static_cast<std::size_t>(bind.target), bind.weight});
    }
  }
}

std::optional<std::size_t> ExpressionMixer::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? std::nullopt : std::optional(found->second);
}

void ExpressionMixer::combine(std::span<double> weights) const {
  double blink = 0, look = 0, mouth = 0;  // what the overriding expressions take
  for (std::size_t e = 0; e < rules_.size(); ++e) {
    const Rule& rule = rules_[e];
    double& weight = weights[e];
    weight = rule.is_binary ? (weight > 0.5 ? 1 : 0) : std::clamp(weight, 0.0, 1.0);
    blink += taken(rule.of_blink, weight);
    look += taken(rule.of_look, weight);
    mouth += taken(rule.of_mouth, weight);
  }
  for (std::size_t e = 0; e < rules_.size(); ++e) {
    const Kind kind = rules_[e].kind;
    const double less = kind == Kind::kBlink   ? blink
                        : kind == Kind::kLook  ? look
                        : kind == Kind::kMouth ? mouth
                                               : 0;
    // A binary expression does not appear in part.
    weights[e] *= rules_[e].is_binary && less > 0 ? 0 : 1 - std::min(less, 1.0);
  }
}

void ExpressionMixer::apply(std::span<const double> combined, NodeIndex mesh_node,
                            std::span<double> morphs) const {
  const auto found = binds_.find(mesh_node);
  if (found == binds_.end()) return;
  for (const Bind& bind : found->second) {
    if (bind.target < morphs.size()) morphs[bind.target] = 0;
  }
  for (const Bind& bind : found->second) {
    if (bind.target < morphs.size()) morphs[bind.target] += bind.weight * combined[bind.expression];
  }
}

std::size_t ExpressionMixer::least_targets(NodeIndex mesh_node) const {
  const auto found = binds_.find(mesh_node);
  std::size_t least = 0;
  if (found == binds_.end()) return least;
  for (const Bind& bind : found->second) least = std::max(least, bind.target + 1);
  return least;
}

}  // namespace skinbake
