// The text of modifiers: parsing, and the canonical form of reports.

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "base/nearest_word.h"
#include "skinbake/error.h"
#include "skinbake/rig.h"

namespace skinbake {

namespace {

using From = ShareTwist::From;

// More helpers than a segment has rings of vertices would not improve the result.
constexpr int kMostHelpers = 64;
constexpr int kMostInfluences = 1024;

constexpr EngineProfile kProfiles[] = {{"unity-1", 1, 0},
                                       {"unity-2", 2, 0},
                                       {"unity-4", 4, 0},
                                       {"unreal-4", 4, 8},
                                       {"unreal-8", 8, 8}};

[[noreturn]] void fail(std::string_view kind, std::string_view value, const std::string& problem) {
  throw Error("MODIFIER_INVALID", std::string(kind) + " '" + std::string(value) + "': " + problem);
}

std::optional<int> whole_number(std::string_view text, int most) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  if (number < 1 || number > most) return {};
  return number;
}

// Parses the part after "N:".
std::vector<std::string> parse_training(std::string_view value, std::string_view text) {
  constexpr std::string_view kFit = "fit";
  if (text == kFit) return FitInfluences{}.training;
  if (!text.starts_with("fit=")) {
    fail("influences", value, "after the colon comes fit, fit=all, fit=rom or fit=CLIP,…");
  }
  text.remove_prefix(kFit.size());
  std::vector<std::string> training;
  while (!text.empty()) {
    text.remove_prefix(1);  // '=' or ','
    const std::string clip(text.substr(0, text.find(',')));
    if (clip.empty()) fail("influences", value, "a clip without a name; write fit=CLIP,CLIP");
    if (std::find(training.begin(), training.end(), clip) != training.end()) {
      fail("influences", value, "'" + clip + "' is given twice");
    }
    text.remove_prefix(clip.size());
    training.push_back(clip);
  }
  const bool names_all = std::find(training.begin(), training.end(), "all") != training.end();
  if (names_all && training.size() > 1) {
    fail("influences", value, "'all' contains every clip; write fit=all");
  }
  return training;
}

Modifier parse_influences(std::string_view value) {
  const std::size_t colon = std::min(value.find(':'), value.size());
  const bool is_fit = colon < value.size();
  const int most = is_fit ? kMostFittedInfluences : kMostInfluences;
  const std::optional<int> count = whole_number(value.substr(0, colon), most);
  if (!count) {
    fail("influences", value,
         std::string(is_fit ? "before the colon comes" : "not") + " a whole number from 1 to " +
             std::to_string(most));
  }
  if (!is_fit) return LimitInfluences{*count};
  return FitInfluences{*count, parse_training(value, value.substr(colon + 1))};
}

QuantizeWeights parse_weights(std::string_view value) {
  if (value == "u8") return {8};
  if (value == "u16") return {16};
  fail("weights", value, "not a known format; known formats: u8, u16");
}

EngineProfile parse_profile(std::string_view value) {
  std::string known;
  std::vector<std::string> ids;
  for (const EngineProfile& profile : kProfiles) {
    if (profile.id == value) return profile;
    ids.emplace_back(profile.id);
    known += (known.empty() ? "" : ", ") + std::string(profile.id);
  }
  fail("profile", value,
       "not a known profile; known profiles: " + known + did_you_mean(value, ids));
}

// Returns the part after the last colon ("n=3,from=child") if it contains '='. Names of joints may
// contain colons ("mixamorig:LeftForeArm").
std::string_view parameters_of(std::string_view value) {
  const std::size_t colon = value.rfind(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view rest = value.substr(colon + 1);
  if (rest.empty()) fail("twist", value, "nothing follows the colon; write n=3, or remove it");
  if (rest.find('=') == std::string_view::npos) return {};
  return rest;
}

void set_parameter(std::string_view value, std::string_view parameter, ShareTwist& twist) {
  const std::size_t equals = parameter.find('=');
  if (equals == std::string_view::npos) {
    fail("twist", value,
         "'" + std::string(parameter) + "' is not a parameter; write n=3,from=child");
  }
  const std::string_view key = parameter.substr(0, equals), to = parameter.substr(equals + 1);
  if (key == "n") {
    const std::optional<int> count = whole_number(to, kMostHelpers);
    if (!count) {
      fail("twist", value, "n must be a whole number from 1 to " + std::to_string(kMostHelpers));
    }
    twist.helpers = *count;
  } else if (key == "from") {
    if (to != "child" && to != "self") fail("twist", value, "from must be child or self");
    if (twist.joint == "auto") {
      fail("twist", value, "auto chooses 'from' by the limb; remove the parameter");
    }
    twist.from = to == "self" ? From::kSelf : From::kChild;
  } else {
    fail("twist", value, "'" + std::string(key) + "' is not a parameter; parameters: n, from");
  }
}

ShareTwist parse_twist(std::string_view value) {
  ShareTwist twist;
  std::string_view parameters = parameters_of(value);
  twist.joint = value;
  if (!parameters.empty()) twist.joint.resize(value.size() - parameters.size() - 1);
  if (twist.joint.empty()) {
    fail("twist", value, "no joint is named; write JOINT[:n=3,from=child] or auto");
  }
  std::vector<std::string_view> seen;
  for (bool more = !parameters.empty(); more;) {
    const std::size_t comma = parameters.find(',');
    const std::string_view parameter = parameters.substr(0, comma);
    set_parameter(value, parameter, twist);
    const std::string_view key = parameter.substr(0, parameter.find('='));
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
      fail("twist", value, "parameter '" + std::string(key) + "' is given twice");
    }
    seen.push_back(key);
    more = comma != std::string_view::npos;
    if (more) parameters.remove_prefix(comma + 1);
  }
  return twist;
}

struct Canonical {
  std::string operator()(const LimitInfluences& limit) const {
    return "influences=" + std::to_string(limit.count);
  }
  std::string operator()(const FitInfluences& fit) const {
    std::string text = "influences=" + std::to_string(fit.count) + ":fit";
    for (std::size_t c = 0; c < fit.training.size(); ++c) {
      text += (c == 0 ? "=" : ",") + fit.training[c];
    }
    return text;
  }
  std::string operator()(const QuantizeWeights& weights) const {
    return "weights=u" + std::to_string(weights.bits);
  }
  std::string operator()(const EngineProfile& profile) const {
    return "profile=" + std::string(profile.id);
  }
  std::string operator()(const ShareTwist& twist) const {
    const std::string text = "twist=" + twist.joint + ":n=" + std::to_string(twist.helpers);
    if (twist.joint == "auto") return text;
    return text + (twist.from == From::kSelf ? ",from=self" : ",from=child");
  }
};

}  // namespace

std::span<const EngineProfile> engine_profiles() {
  return kProfiles;
}

Modifier parse_modifier(std::string_view kind, std::string_view value) {
  if (kind == "influences") return parse_influences(value);
  if (kind == "weights") return parse_weights(value);
  if (kind == "profile") return parse_profile(value);
  if (kind == "twist") return parse_twist(value);
  throw Error("MODIFIER_UNKNOWN",
              "'" + std::string(kind) +
                  "' is not a modifier; modifiers: influences, weights, profile, twist");
}

std::string canonical(const Modifier& modifier) {
  return std::visit(Canonical{}, modifier);
}

}  // namespace skinbake
