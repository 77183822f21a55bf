#include "json/id_name.h"

#include "json/printable.h"

namespace skinbake {

std::string file_name_of(const std::string& id) {
  constexpr std::size_t kLongest = 200;  // most file systems allow 255 bytes, with the extension
  if (id.empty() || id == "." || id == "..") return "_";
  constexpr std::string_view kReplaced = "\xEF\xBF\xBD";  // by printable()
  std::string name = id;
  for (char& c : name) {
    const bool reserved = static_cast<unsigned char>(c) < 0x20 || c == 0x7f ||
                          std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos;
    if (reserved) c = '_';
  }
  name = printable(name);
  for (std::size_t at = 0; (at = name.find(kReplaced, at)) != std::string::npos;) {
    name.replace(at, kReplaced.size(), "_");
  }
  if (name.size() <= kLongest) return name;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  return name.substr(0, end);
}

}  // namespace skinbake
