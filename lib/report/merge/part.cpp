#include "report/merge/part.h"

namespace skinbake {

namespace {

// A short text of a value, for messages.
std::string part_text(const nlohmann::json& value) {
  constexpr std::size_t kLongest = 80;
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list of " + std::to_string(value.size());
  std::string text = value.is_string()
                         ? value.get<std::string>()
                         : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "…";
}

[[noreturn]] void differ(const PartSection& section) {
  throw_parts_differ(section.path, section.name, part_text(section.part), section.first_path,
                     part_text(section.whole));
}

}  // namespace

void require_equal(const PartSection& section) {
  if (section.part == section.whole) return;
  if (section.part.is_object() && section.whole.is_object()) {  // name the member
    require_same_keys(section);
    for (const auto& [key, value] : section.part.items()) require_equal(section.member(key));
  }
  if (section.part.is_array() && section.whole.is_array() &&
      section.part.size() == section.whole.size()) {
    for (std::size_t i = 0; i < section.part.size(); ++i) require_equal(section.element(i));
  }
  differ(section);
}

void require_same_keys(const PartSection& section) {
  if (!section.part.is_object() || !section.whole.is_object()) differ(section);
  for (const auto& [key, value] : section.part.items()) {
    if (section.whole.contains(key)) continue;
    throw_part_invalid(section.path, section.name + " has '" + key + "', but not in " +
                                         section.first_path + "; bake all parts alike");
  }
  for (const auto& [key, value] : section.whole.items()) {
    if (section.part.contains(key)) continue;
    throw_part_invalid(section.path, section.name + " lacks '" + key + "', which " +
                                         section.first_path + " has; bake all parts alike");
  }
}

void require_same_size(const PartSection& section) {
  if (section.part.is_array() && section.whole.is_array() &&
      section.part.size() == section.whole.size()) {
    return;
  }
  differ(section);
}

}  // namespace skinbake
