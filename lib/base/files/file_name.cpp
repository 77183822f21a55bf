#include "base/files/file_name.h"

#include <algorithm>

namespace skinbake {

bool has_extension(std::string_view path, std::string_view extension) {
  const auto lower_case = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return path.size() >= extension.size() &&
         std::equal(extension.rbegin(), extension.rend(), path.rbegin(),
                    [&](char a, char b) { return a == lower_case(b); });
}

}  // namespace skinbake
