#include "gltf/document/message_text.h"

#include "json/text.h"
#include "skinbake/error.h"

namespace skinbake::gltf {

namespace {

constexpr std::size_t kMaxQuoted = 120;  // names and URIs of a file can be of any length

}  // namespace

void fail_at(const char* code, const std::string& path, const Element& element,
             const std::string& what) {
  throw Error(code, element.name + " " + what, {path, element.pointer});
}

std::string describe(const char* kind, std::size_t index, const std::string& name) {
  std::string text = kind;
  return name.empty() ? text + " " + std::to_string(index) : text + " " + in_quotes(name);
}

std::string in_quotes(std::string_view text) {
  std::string result = "'" + printable(text.substr(0, kMaxQuoted));
  if (text.size() > kMaxQuoted) {  // the cut may have split a character
    while (result.ends_with(kReplacementCharacter)) {
      result.erase(result.size() - kReplacementCharacter.size());
    }
    result += "…";
  }
  return result + "'";
}

std::string shown_path(const std::string& path) {
  return path.starts_with('/') ? path.substr(path.rfind('/') + 1) : path;
}

}  // namespace skinbake::gltf
