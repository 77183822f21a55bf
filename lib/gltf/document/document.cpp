#include "gltf/document/document.h"

#include <utility>

namespace skinbake::gltf {

void Document::fail(const char* code, const Element& element, const std::string& what) const {
  fail_at(code, path, element, what);
}

void Document::note(IssueCode code, std::string pointer, std::string message, std::int64_t count) {
  constexpr std::size_t kMaxIssues = 10'000;  // a hostile file has a finding every few bytes
  std::vector<std::size_t>& positions = noted[code];
  if (positions.size() == kMaxIssues) {
    issues[positions.back()].count += count;
    return;
  }
  positions.push_back(issues.size());
  issues.push_back(make_issue(code, shown_as, std::move(pointer), std::move(message), count));
}

void Document::reserve(std::uint64_t count, std::uint64_t size, const Element& element) {
  gltf::reserve(budget, count, size, path, element);
}

}  // namespace skinbake::gltf
