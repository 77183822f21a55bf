#include "methods/method_list.h"

#include <algorithm>

#include "skinbake/error.h"
#include "skinbake/methods.h"

namespace skinbake {

std::vector<std::string> method_names(std::span<const std::string> texts) {
  std::vector<std::string> names;
  for (const std::string& text : texts) {
    if (text != "all") {
      names.push_back(parse_method(text).canonical());
      continue;
    }
    for (const MethodInfo& info : methods()) {
      if (std::ranges::find(texts, info.id) == texts.end()) names.emplace_back(info.id);
    }
  }
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) == name) continue;
    throw Error("METHOD_TWICE", "--method " + *name + " is given twice");
  }
  return names;
}

}  // namespace skinbake
