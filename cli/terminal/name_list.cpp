#include "terminal/name_list.h"

#include <algorithm>

#include "json/text.h"
#include "terminal/format.h"

namespace skinbake::cli {

std::string name_list(std::span<const std::string> names) {
  constexpr std::size_t kNamed = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, names.size()); ++i) {
    text += (i == 0 ? "'" : ", '") + printable(names[i]) + "'";
  }
  return names.size() > kNamed ? text + fmt::format(" and {} more", names.size() - kNamed) : text;
}

}  // namespace skinbake::cli
