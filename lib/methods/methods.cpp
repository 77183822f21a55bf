#include "skinbake/methods.h"

#include <array>
#include <string>

#include "methods/all-inl.h"
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

Method parse_method(std::string_view text) {
  std::string known;
  for (std::size_t i = 0; i < kInfos.size(); ++i) {
    if (kInfos[i].id == text) return {static_cast<int>(i)};
    known += (i == 0 ? "" : ", ") + std::string(kInfos[i].id);
  }
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    const std::string id(text.substr(0, colon));
    parse_method(id);  // names the methods there are if it is none of them
    throw Error(ErrorKind::kUsage, "METHOD_PARAMETER_UNKNOWN",
                "method '" + id + "' takes no parameters; write --method " + id);
  }
  throw Error(ErrorKind::kUsage, "METHOD_UNKNOWN",
              "no method '" + std::string(text) + "'; there are: " + known);
}

}  // namespace skinbake
