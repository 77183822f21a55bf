#include "gltf/linked_file.h"

#include "gltf/uri.h"

namespace skinbake::gltf {

namespace {

// The folder of a path with its slash, or nothing.
std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/') + 1);
}

}  // namespace

LinkedFile read_linked(const Document& document, const std::string& uri) {
  const RelativePath relative = relative_path(uri, document.allow_outside);
  if (!relative.refusal.empty()) return {"", relative.refusal, relative.is_outside, {}};
  const std::string folder = folder_of(document.path);
  const std::string file = relative.path.starts_with('/') ? relative.path : folder + relative.path;
  if (!document.allow_outside && !is_inside(file, folder)) {
    return {"", "is a symbolic link to a place outside the glTF's folder", true, {}};
  }
  return {file, "", false, read_file(file, document.budget.left())};
}

}  // namespace skinbake::gltf
