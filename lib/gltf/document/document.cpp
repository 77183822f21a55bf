#include "gltf/document/document.h"

#include <utility>

namespace skinbake::gltf {

void Document::fail(const char* code, const Element& element, const std::string& what) const {
  fail_at(code, path, element, what);
}

void Document::note(std::string_view code, std::string pointer, std::string message,
                    std::int64_t count) {
  noted.add(make_issue(code, shown_as, std::move(pointer), std::move(message), count), issues);
}

}  // namespace skinbake::gltf
