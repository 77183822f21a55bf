#include "gltf/clip_file/morph_match.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "gltf/document/message_text.h"

namespace skinbake::gltf {

namespace {

using TargetNames = std::vector<std::string>;

// The names of the node's `count` targets, or null.
const TargetNames* names_of_targets(const MorphNames& names, NodeIndex node, std::size_t count) {
  const auto found = names.find(node);
  return found == names.end() || found->second->size() != count ? nullptr : found->second.get();
}

// "2 ('smile', 'blink')" of the targets without a partner; empty: each has one.
std::string without_partner(const TargetNames& names, const std::vector<int>& partners) {
  constexpr std::size_t kListed = 5;
  std::size_t count = 0;
  std::string listed;
  for (std::size_t t = 0; t < names.size(); ++t) {
    if (partners[t] >= 0) continue;
    if (count++ < kListed) listed += (listed.empty() ? "" : ", ") + in_quotes(names[t]);
  }
  if (count == 0) return "";
  return std::to_string(count) + " (" + listed + (count > kListed ? ", …" : "") + ")";
}

}  // namespace

MorphMatcher::MorphMatcher(const ClipFile& file, const Asset& rig) : file_(file), rig_(rig) {
  for (const Rig& of_node : rig.rigs) rest_weights_[of_node.node] = &of_node.morph_weights;
}

MatchedMorphs MorphMatcher::match(const Channel& channel, NodeIndex target) {
  const auto at_rest = rest_weights_.find(target);
  if (at_rest == rest_weights_.end()) return by_order(channel, target);
  const auto clip_names = file_.morph_names.find(channel.node);
  const TargetNames* const of_clip =
      channel.is_one_weight && clip_names != file_.morph_names.end()
          ? clip_names->second.get()
          : names_of_targets(file_.morph_names, channel.node,
                             static_cast<std::size_t>(channel.width));
  const TargetNames* const of_rig =
      names_of_targets(rig_.morph_names, target, at_rest->second->size());
  const bool are_named = of_clip != nullptr && of_rig != nullptr &&
                         static_cast<std::size_t>(channel.first_weight) < of_clip->size();
  if (!are_named) return by_order(channel, target);
  if (pairing_.of_clip != of_clip || pairing_.of_rig != of_rig) pair(*of_clip, *of_rig);
  return channel.is_one_weight ? one_by_name(channel, target) : all_by_name(channel, target);
}

MatchedMorphs MorphMatcher::by_order(const Channel& channel, NodeIndex target) const {
  const auto at_rest = rest_weights_.find(target);
  const std::size_t count = at_rest == rest_weights_.end() ? 0 : at_rest->second->size();
  const auto first = static_cast<std::size_t>(channel.first_weight);
  const bool fits =
      channel.is_one_weight ? first < count : count == static_cast<std::size_t>(channel.width);
  if (count == 0 || !fits) return {std::nullopt, "does not have as many morph targets"};
  MatchedMorphs matched{channel, ""};
  matched.channel->node = target;
  return matched;
}

MatchedMorphs MorphMatcher::one_by_name(const Channel& channel, NodeIndex target) {
  const auto weight = static_cast<std::size_t>(channel.first_weight);
  const int partner = pairing_.rig_target_of[weight];
  if (partner < 0) {
    return {std::nullopt,
            "does not have the morph target " + in_quotes((*pairing_.of_clip)[weight])};
  }
  MatchedMorphs matched{channel, ""};
  matched.channel->node = target;
  matched.channel->first_weight = partner;
  return matched;
}

MatchedMorphs MorphMatcher::all_by_name(const Channel& channel, NodeIndex target) {
  const std::string left_out = without_partner(*pairing_.of_clip, pairing_.rig_target_of);
  const std::string resting = without_partner(*pairing_.of_rig, pairing_.clip_target_of);
  const std::vector<int>& partners = pairing_.rig_target_of;
  if (std::all_of(partners.begin(), partners.end(), [](int t) { return t < 0; })) {
    return {std::nullopt, "does not have a morph target of these names: " + left_out};
  }
  MatchedMorphs matched{channel, ""};
  matched.channel->node = target;
  if (!resting.empty()) matched.problem = "morph targets that keep their rest weights: " + resting;
  if (!left_out.empty()) {
    matched.problem += matched.problem.empty() ? "" : "; ";
    matched.problem += "weights without a morph target: " + left_out;
  }
  if (pairing_.is_same) return matched;
  const std::vector<double>& at_rest = *rest_weights_.at(target);
  Values& made = made_[{channel.values, channel.interpolation, channel.node, target}];
  if (!made) made = reordered(channel, at_rest);
  matched.channel->values = made;
  matched.channel->width = static_cast<int>(at_rest.size());
  return matched;
}

// Of several targets of one name, the first pairs with the first, the second with the second.
void MorphMatcher::pair(const TargetNames& of_clip, const TargetNames& of_rig) {
  std::multimap<std::string_view, int>
      free;  // targets of the rig; equal names in the order of the targets
  for (std::size_t t = 0; t < of_rig.size(); ++t) free.emplace(of_rig[t], static_cast<int>(t));
  pairing_ = {&of_clip, &of_rig, std::vector<int>(of_rig.size(), -1),
              std::vector<int>(of_clip.size(), -1), of_clip == of_rig};
  for (std::size_t t = 0; t < of_clip.size(); ++t) {
    const auto found = free.lower_bound(of_clip[t]);
    if (found == free.end() || found->first != of_clip[t]) continue;
    pairing_.rig_target_of[t] = found->second;
    pairing_.clip_target_of[static_cast<std::size_t>(found->second)] = static_cast<int>(t);
    free.erase(found);
  }
}

// Each key has one set of weights; of a cubic spline the in-tangents, the weights and the
// out-tangents. The tangents of a weight that rests are 0.
MorphMatcher::Values MorphMatcher::reordered(const Channel& channel,
                                             const std::vector<double>& at_rest) const {
  const bool is_cubic = channel.interpolation == Interpolation::kCubicSpline;
  const std::size_t width = pairing_.of_clip->size();
  const std::size_t sets = channel.values->size() / width;
  std::vector<double> values;
  values.reserve(sets * at_rest.size());
  for (std::size_t s = 0; s < sets; ++s) {
    const bool is_tangent = is_cubic && s % 3 != 1;
    for (std::size_t t = 0; t < at_rest.size(); ++t) {
      const int partner = pairing_.clip_target_of[t];
      values.push_back(partner < 0
                           ? (is_tangent ? 0 : at_rest[t])
                           : (*channel.values)[s * width + static_cast<std::size_t>(partner)]);
    }
  }
  return std::make_shared<const std::vector<double>>(std::move(values));
}

}  // namespace skinbake::gltf
