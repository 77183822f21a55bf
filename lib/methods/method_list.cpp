#include "methods/method_list.h"

#include <algorithm>
#include <string_view>

#include "skinbake/error.h"
#include "skinbake/methods.h"

namespace skinbake {

namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_parameter(std::string_view part) {
  const std::size_t equals = part.find('=');
  return equals != std::string_view::npos && part.find(':') > equals;
}

// Splits the list into one text for each method with its parameters.
std::vector<std::string> texts_of(const std::string& list) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const std::string part = list.substr(at, end - at);
    if (is_parameter(part) && !texts.empty()) {
      texts.back() += "," + part;
    } else {
      texts.push_back(part);
    }
    at = end + 1;
  }
  return texts;
}

void append_all(const std::vector<std::string>& texts, std::vector<std::string>& names) {
  for (const MethodInfo& info : methods()) {
    if (!contains(texts, info.id)) names.emplace_back(info.id);
  }
}

}  // namespace

std::vector<std::string> split_methods(const std::string& list) {
  const std::vector<std::string> texts = texts_of(list);
  std::vector<std::string> names;
  for (const std::string& text : texts) {
    if (text == "all") {
      append_all(texts, names);
      continue;
    }
    names.push_back(parse_method(text).canonical());
  }
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) == name) continue;
    throw Error("METHOD_TWICE", "the list " + list + " has '" + *name + "' twice");
  }
  return names;
}

std::string joined(const std::vector<std::string>& methods) {
  std::string list;
  for (const std::string& method : methods) list += (list.empty() ? "" : ",") + method;
  return list;
}

}  // namespace skinbake
