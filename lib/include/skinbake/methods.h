// The skinning methods there are.

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace skinbake {

// What is said of a method to users.
struct MethodInfo {
  std::string_view id;         // "dqs": what --method takes
  std::string_view title;      // "dual quaternion linear blend"
  std::string_view source;     // authors, title, year
  std::string_view preserves;  // one line: what it keeps and what it loses
};

// Every method, in the order shown to users.
std::span<const MethodInfo> methods();

// A method chosen by the user: an index into methods(). (Parameters will stand here.)
struct Method {
  int index = 0;

  const MethodInfo& info() const { return methods()[static_cast<std::size_t>(index)]; }
  std::string canonical() const { return std::string(info().id); }
};

// "dqs" -> Method. Throws Error (kUsage), naming what there is.
Method parse_method(std::string_view text);

}  // namespace skinbake
