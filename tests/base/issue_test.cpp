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

TEST_CASE("issue: every code has a meaning and a remedy of one line") {
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

TEST_CASE(
    "issue: a code with many locations is listed for the first ones and counted for the rest") {
  Issues many;
  for (int i = 0; i < 1000; ++i) {
    const std::string pointer = "/nodes/" + std::to_string(i);
    many.push_back(make_issue(IssueCode::QUATERNION_NOT_UNIT, "a.glb", pointer, "off", 2));
  }
  many.push_back(make_issue(IssueCode::QUATERNION_NOT_UNIT, "b.glb", "/nodes/7", "off"));
  many.push_back(make_issue(IssueCode::CLIP_EMPTY, "a.glb", "/animations/0", "nothing"));
  const Issues folded = fold_repeated(many);
  REQUIRE(folded.size() == kPlacesListed + 3);
  std::int64_t count = 0;
  for (const Issue& issue : folded) count += issue.count;
  CHECK(count == 2002);
  CHECK(folded.front().code == "CLIP_EMPTY");
  CHECK(folded[kPlacesListed + 1].message == "off; the same in 979 more places");
  CHECK(folded[kPlacesListed + 1].count == 2 * 980);
  CHECK(folded.back().file == "b.glb");
}

TEST_CASE("issue: beyond the first thousands of a code, only a count grows") {
  Issues issues;
  IssueLimit limit;
  for (int i = 0; i < 10'010; ++i) {
    limit.add(make_issue(IssueCode::CLIP_EMPTY, "a.glb", std::to_string(i), "empty"), issues);
  }
  limit.add(make_issue(IssueCode::NO_VOLUME, "a.glb", "", "flat"), issues);
  REQUIRE(issues.size() == 10'001);
  CHECK(issues[9'998].count == 1);
  CHECK(issues[9'999].count == 11);
  CHECK(issues[10'000].code == "NO_VOLUME");
}

TEST_CASE("issue: a code with few locations is left unchanged") {
  Issues few;
  for (std::size_t i = 0; i <= kPlacesListed; ++i) {
    few.push_back(make_issue(IssueCode::CLIP_EMPTY, "a", "/" + std::to_string(i), "nothing"));
  }
  const Issues folded = fold_repeated(few);
  REQUIRE(folded.size() == few.size());
  CHECK(std::all_of(folded.begin(), folded.end(),
                    [](const Issue& issue) { return issue.message == "nothing"; }));
}

TEST_CASE("error codes: are distinct, and each has a meaning and a remedy") {
  std::set<std::string_view> codes;
  for (const IssueInfo& info : issue_table()) codes.insert(info.code);
  for (const ErrorInfo& info : error_table()) {
    CAPTURE(info.code);
    CHECK(codes.insert(info.code).second);
    CHECK(info.meaning.size() >= 10);
    CHECK(info.remedy.size() >= 10);
    CHECK(info.remedy.find_first_of("\n|") == std::string_view::npos);
  }
  CHECK(codes.size() > 70);
}

TEST_CASE("tables: neither a meaning nor a remedy names an option of the command line") {
  for (const IssueInfo& info : issue_table()) {
    CAPTURE(info.code);
    CHECK(info.meaning.find("--") == std::string_view::npos);
    CHECK(info.remedy.find("--") == std::string_view::npos);
  }
  for (const ErrorInfo& info : error_table()) {
    CAPTURE(info.code);
    CHECK(info.meaning.find("--") == std::string_view::npos);
    CHECK(info.remedy.find("--") == std::string_view::npos);
  }
}

}  // namespace skinbake
