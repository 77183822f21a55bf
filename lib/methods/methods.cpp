#include "skinbake/methods.h"

#include <array>
#include <string>

#include "methods/all-inl.h"
#include "methods/costs.h"
#include "methods/parameters.h"
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

}  // namespace

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
  for (std::size_t i = 0; i < kInfos.size(); ++i) {
    known += (i == 0 ? "" : ", ") + std::string(kInfos[i].id);
    if (kInfos[i].id != id) continue;
    Method method{static_cast<int>(i), default_values(kInfos[i])};
    if (colon != std::string_view::npos) set_values(text.substr(colon + 1), method);
    return method;
  }
  throw Error(ErrorKind::kUsage, "METHOD_UNKNOWN",
              "no method '" + std::string(id) + "'; there are: " + known);
}

}  // namespace skinbake
