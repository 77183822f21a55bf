#include "skinbake/methods.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/nearest_word.h"
#include "methods/all-inl.h"
#include "methods/costs.h"
#include "rig/surface/weld.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

template <template <class> class... Methods>
constexpr auto infos_of(HWY_NAMESPACE::MethodList<Methods...>) {
  return std::array<MethodInfo, sizeof...(Methods)>{Methods<double>::kInfo...};
}

constexpr auto kInfos = infos_of(HWY_NAMESPACE::AllMethods{});

constexpr bool ids_are_unique() {
  for (std::size_t i = 0; i < kInfos.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (kInfos[i].id == kInfos[j].id) return false;
    }
  }
  return true;
}
static_assert(ids_are_unique(), "two methods have the same id");

std::string to_text(double number) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  return {digits, end};
}

std::optional<double> to_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) return {};
  return number;
}

// The value of the choice at `index`: the number that the word spells, else the index.
double value_of_choice(std::string_view word, int index) {
  return to_number(word).value_or(index);
}

// Calls visit(word, value) for each choice until it returns true.
template <class Visit>
bool any_choice(const MethodParameter& parameter, const Visit& visit) {
  if (parameter.names_method) {
    // Only methods that do not read neighbours are choices. They have kKeepsSingleJoint.
    for (std::size_t i = 0; i < methods().size(); ++i) {
      if ((methods()[i].keeps & kKeepsSingleJoint) == 0) continue;
      if (visit(methods()[i].id, static_cast<double>(i))) return true;
    }
    return false;
  }
  std::string_view rest = parameter.choices;
  for (int index = 0; !rest.empty(); ++index) {
    const std::string_view word = rest.substr(0, rest.find('|'));
    if (visit(word, value_of_choice(word, index))) return true;
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
  }
  return false;
}

bool is_word(const MethodParameter& parameter) {
  return parameter.names_method || !parameter.choices.empty();
}

constexpr std::string_view kAuto = "auto";  // the text of kFollowsMesh

double default_value(const MethodParameter& parameter) {
  if (parameter.follows_mesh) return kFollowsMesh;
  double value = parameter.initial;
  any_choice(parameter, [&](std::string_view, double first) {
    value = first;
    return true;
  });
  return value;
}

bool is_in_range(const MethodParameter& p, double number) {
  if (p.follows_mesh && number == kFollowsMesh) return true;
  if (p.whole && number != std::floor(number)) return false;
  if (p.above_lowest ? number <= p.lowest : number < p.lowest) return false;
  return p.below_highest ? number < p.highest : number <= p.highest;
}

std::optional<double> value_of(const MethodParameter& parameter, std::string_view text) {
  if (is_word(parameter)) {
    std::optional<double> value;
    any_choice(parameter, [&](std::string_view word, double of_word) {
      if (word == text) value = of_word;
      return value.has_value();
    });
    return value;
  }
  if (parameter.follows_mesh && text == kAuto) return kFollowsMesh;
  const auto number = to_number(text);
  if (number == kFollowsMesh) return {};  // no parameter may be negative
  return number && is_in_range(parameter, *number) ? number : std::nullopt;
}

std::string text_of(const MethodParameter& parameter, double value) {
  if (parameter.follows_mesh && value == kFollowsMesh) return std::string(kAuto);
  if (!is_word(parameter)) return to_text(value);
  std::string text;
  any_choice(parameter, [&](std::string_view word, double of_word) {
    if (of_word == value) text = word;
    return of_word == value;
  });
  return text;
}

std::string list_of(const MethodInfo& info) {
  std::string list;
  for (const MethodParameter& p : info.parameters) {
    list += (list.empty() ? "" : "; ") + std::string(p.name) + " (" + range_of(p) + ")";
  }
  return list.empty() ? "takes no parameters" : "takes " + list;
}

[[noreturn]] void usage(const std::string& code, const MethodInfo& info,
                        const std::string& message) {
  throw Error(code, "method '" + std::string(info.id) + "'" + message);
}

// "from 0 to 1", "above 0".
std::string limits_of(const MethodParameter& parameter) {
  std::string limits = (parameter.above_lowest ? "above " : "from ") + to_text(parameter.lowest);
  if (!std::isinf(parameter.highest)) {
    limits += (parameter.below_highest ? " to below " : " to ") + to_text(parameter.highest);
  }
  return limits;
}

// "one of first|last", "auto or a whole number from 1 to 100".
std::string values_text(const MethodParameter& parameter) {
  if (is_word(parameter)) return "one of " + range_of(parameter);
  return std::string(parameter.follows_mesh ? "auto or " : "") +
         (parameter.whole ? "a whole number " : "a number ") + limits_of(parameter);
}

void set_one(std::string_view setting, Method& method, std::vector<bool>& seen) {
  const MethodInfo& info = method.info();
  const std::size_t equals = setting.find('=');
  const std::string_view name = setting.substr(0, equals);
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    const MethodParameter& parameter = info.parameters[i];
    if (parameter.name != name) continue;
    if (seen[i]) {
      usage("METHOD_PARAMETER_INVALID", info,
            ": '" + std::string(name) + "' is given twice; give it once");
    }
    seen[i] = true;
    const auto value = equals == std::string_view::npos
                           ? std::nullopt
                           : value_of(parameter, setting.substr(equals + 1));
    if (!value) {
      usage("METHOD_PARAMETER_INVALID", info,
            ": '" + std::string(setting) + "'; write " + std::string(name) + "= and " +
                values_text(parameter));
    }
    method.values[i] = *value;
    return;
  }
  std::vector<std::string> names;
  for (const MethodParameter& parameter : info.parameters) names.emplace_back(parameter.name);
  usage("METHOD_PARAMETER_UNKNOWN", info,
        " does not have the parameter '" + std::string(name) + "'; it " + list_of(info) +
            did_you_mean(name, names));
}

// The default of every parameter.
std::vector<double> default_values(const MethodInfo& info) {
  std::vector<double> values;
  for (const MethodParameter& parameter : info.parameters) {
    values.push_back(default_value(parameter));
  }
  return values;
}

// Sets the parameters that `text` lists: "sign=temporal,scale=joint".
void set_values(std::string_view text, Method& method) {
  const MethodInfo& info = method.info();
  std::vector<bool> seen(info.parameters.size());
  for (bool more = true; more;) {
    const std::size_t comma = text.find(',');
    more = comma != std::string_view::npos;
    set_one(text.substr(0, comma), method, seen);
    if (more) text.remove_prefix(comma + 1);
  }
  if (info.conflict == nullptr) return;
  std::string conflict(info.conflict(method.values));
  if (conflict.empty()) return;
  const std::string words = " " + conflict + " ";
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const MethodParameter& parameter = info.parameters[i];
    const std::string name = " " + std::string(parameter.name) + " ";
    if (seen[i] || words.find(name) == std::string::npos) continue;
    conflict +=
        "; " + std::string(parameter.name) + " is " + default_of(parameter) + " if it is not given";
  }
  usage("METHOD_PARAMETER_INVALID", info, ": " + conflict);
}

}  // namespace

std::string fault_of(const Method& method) {
  const MethodInfo& info = method.info();
  if (method.values.size() != info.parameters.size()) {
    return "there must be a value for each of the " + std::to_string(info.parameters.size()) +
           " parameters";
  }
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    const MethodParameter& p = info.parameters[i];
    const double value = method.values[i];
    if (is_word(p) ? !text_of(p, value).empty() : is_in_range(p, value)) continue;
    return std::string(p.name) + " is " + to_text(value) + "; it must be " + range_of(p);
  }
  return info.conflict == nullptr ? std::string() : std::string(info.conflict(method.values));
}

std::span<const MethodInfo> methods() {
  return kInfos;
}

double relative_cost(const MethodInfo& info) {
  for (const MethodCost& cost : kMethodCosts) {
    if (cost.id == info.id) return cost.relative_to_lbs;
  }
  return 0;
}

std::string_view costs_measured_on() {
  return kCostsMeasuredOn;
}

std::string_view name_of(Property property) {
  switch (property) {
    case kKeepsBindPose:
      return "bind pose";
    case kKeepsRigidMotion:
      return "rigid motion";
    case kKeepsOrigin:
      return "origin";
    case kKeepsSingleJoint:
      return "single joint";
    case kKeepsCommonMatrix:
      return "common matrix";
    case kKeepsOneMap:
      return "one map";
    case kKeepsDistances:
      return "distances";
    case kKeepsHalfTurns:
      return "half turns";
    case kKeepsZeroScales:
      return "zero scales";
  }
  return "";
}

Method parse_method(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view id = text.substr(0, colon);
  std::string known;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < kInfos.size(); ++i) {
    known += (i == 0 ? "" : ", ") + std::string(kInfos[i].id);
    ids.emplace_back(kInfos[i].id);
    if (kInfos[i].id != id) continue;
    Method method{static_cast<int>(i), default_values(kInfos[i])};
    if (colon != std::string_view::npos) set_values(text.substr(colon + 1), method);
    return method;
  }
  throw Error("METHOD_UNKNOWN",
              "no method '" + std::string(id) + "'; there are: " + known + did_you_mean(id, ids));
}

std::string Method::canonical() const {
  std::string name(info().id);
  bool first = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const MethodParameter& parameter = info().parameters[i];
    if (values[i] == default_value(parameter)) continue;
    name += (first ? ":" : ",") + std::string(parameter.name) + "=" + text_of(parameter, values[i]);
    first = false;
  }
  return name;
}

std::uint32_t Method::keeps() const {
  std::uint32_t kept = info().keeps;
  for (const MethodSetting& setting : info().settings) {
    const std::size_t equals = setting.setting.find('=');
    for (std::size_t i = 0; i < values.size(); ++i) {
      const MethodParameter& parameter = info().parameters[i];
      if (parameter.name != setting.setting.substr(0, equals)) continue;
      if (text_of(parameter, values[i]) != setting.setting.substr(equals + 1)) continue;
      kept = (kept | setting.gains) & ~setting.loses;
    }
  }
  // A method that smooths the result of another method has at most the properties of that method.
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!info().parameters[i].names_method) continue;
    kept &= methods()[static_cast<std::size_t>(values[i])].keeps;
  }
  return kept;
}

int region_points(const Rig& rig) {
  std::vector<double> points(rig.joints.size(), 0);
  for (const VertexIndex v : build_surface(rig).vertex_of) {
    for (const Influence& i : rig.influences_of(v)) points[i.joint] += i.weight;
  }
  std::erase_if(points, [](double count) { return !(count > 0); });
  if (points.empty()) return 1;
  const auto median = points.begin() + static_cast<std::ptrdiff_t>((points.size() - 1) / 2);
  std::nth_element(points.begin(), median, points.end());
  // Of rigid parts the number is whole, and rounding far from a jump.
  return std::max(1, static_cast<int>(std::floor(*median + 0.5)));
}

Method on_mesh(const Method& method, const Rig& rig) {
  Method chosen = method;
  const auto follow = method.info().follow_mesh;
  const bool follows =
      std::find(method.values.begin(), method.values.end(), kFollowsMesh) != method.values.end();
  if (follow != nullptr && follows) follow(region_points(rig), chosen.values);
  return chosen;
}

std::string name_on_mesh(const Method& method, const Rig& rig) {
  const Method on = on_mesh(method, rig);
  return on != method ? on.canonical() : "";
}

std::string range_of(const MethodParameter& parameter) {
  if (is_word(parameter)) {
    std::string words;
    any_choice(parameter, [&](std::string_view word, double) {
      words += (words.empty() ? "" : "|") + std::string(word);
      return false;
    });
    return words;
  }
  return std::string(parameter.follows_mesh ? "auto, or " : "") +
         (parameter.whole ? "whole, " : "") + limits_of(parameter);
}

std::string default_of(const MethodParameter& parameter) {
  return text_of(parameter, default_value(parameter));
}

}  // namespace skinbake
