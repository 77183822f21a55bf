#include "gltf/document/document.h"

namespace skinbake::gltf {

void Document::fail(const char* code, const Element& element, const std::string& what) const {
  fail_at(code, path, element, what);
}

void Document::note(std::string_view code, std::string pointer, std::string message,
                    std::int64_t count) {
  noted.add(make_issue(code, shown_as, std::move(pointer), std::move(message), count), issues);
}

void Document::require_element(const char* list, int index) const {
  if (faults.empty()) return;
  const auto fault = faults.find("/" + std::string(list) + "/" + std::to_string(index));
  if (fault != faults.end()) throw Error(*fault->second);
}

void Document::note_fault(const std::string& part, std::string pointer, const Error& fault) {
  note("PART_NOT_READ", std::move(pointer),
       part + " was not read: " + fault.message() + " [" + fault.code() + "]");
}

}  // namespace skinbake::gltf
