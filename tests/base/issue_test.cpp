#include "base/issue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "base/error_codes.h"

namespace skinbake {

TEST_CASE("issue: codes are distinct UPPER_SNAKE words") {
  std::set<std::string_view> codes;
  for (const IssueInfo& info : issue_table()) {
    CAPTURE(info.code);
    CHECK(codes.insert(info.code).second);
    CHECK(std::all_of(info.code.begin(), info.code.end(),
                      [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; }));
  }
  CHECK(codes.size() > 10);
}

TEST_CASE("issue: every code says what to do, on one line") {
  for (const IssueInfo& info : issue_table()) {
    CAPTURE(info.code);
    CHECK(info.meaning.size() >= 10);
    CHECK(info.meaning.find_first_of("\n|") == std::string_view::npos);
    CHECK(info.remedy.size() >= 10);
    CHECK(info.remedy.find_first_of("\n|") == std::string_view::npos);
  }
}

TEST_CASE("issue: takes its code and severity from the table") {
  const Issue issue = make_issue(IssueCode::WEIGHTS_ZERO, "a.glb", "/meshes/0", "said", 3);
  CHECK(issue.code == "WEIGHTS_ZERO");
  CHECK(issue.severity == Severity::kWarning);
  CHECK(issue.file == "a.glb");
  CHECK(issue.pointer == "/meshes/0");
  CHECK(issue.message == "said");
  CHECK(issue.count == 3);
  CHECK(make_issue(IssueCode::WEIGHTS_ZERO, "", "", "").count == 1);
}

TEST_CASE("error codes: distinct, each with an exit code, a meaning and a remedy") {
  std::set<std::string_view> codes;
  for (const IssueInfo& info : issue_table()) codes.insert(info.code);
  for (const ErrorInfo& info : error_table()) {
    CAPTURE(info.code);
    CHECK(codes.insert(info.code).second);
    CHECK(static_cast<int>(info.kind) >= 2);
    CHECK(static_cast<int>(info.kind) <= 5);
    CHECK(info.meaning.size() >= 10);
    CHECK(info.remedy.size() >= 10);
    CHECK(info.remedy.find_first_of("\n|") == std::string_view::npos);
  }
  CHECK(codes.size() > 70);
}

}  // namespace skinbake
