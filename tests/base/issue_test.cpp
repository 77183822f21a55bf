#include "base/issue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

#include "base/codes.h"

namespace skinbake {

TEST_CASE("issue: takes its code and severity from the table") {
  const Issue issue = make_issue("WEIGHTS_ZERO", "a.glb", "/meshes/0", "said", 3);
  CHECK(issue.code == "WEIGHTS_ZERO");
  CHECK(issue.severity == Severity::kWarning);
  CHECK(issue.file == "a.glb");
  CHECK(issue.pointer == "/meshes/0");
  CHECK(issue.message == "said");
  CHECK(issue.count == 3);
  CHECK(make_issue("WEIGHTS_ZERO", "", "", "").count == 1);
}

TEST_CASE(
    "issue: a code with many locations is listed for the first ones and counted for the rest") {
  Issues many;
  for (int i = 0; i < 1000; ++i) {
    const std::string pointer = "/nodes/" + std::to_string(i);
    many.push_back(make_issue("QUATERNION_NOT_UNIT", "a.glb", pointer, "off", 2));
  }
  many.push_back(make_issue("QUATERNION_NOT_UNIT", "b.glb", "/nodes/7", "off"));
  many.push_back(make_issue("CLIP_EMPTY", "a.glb", "/animations/0", "nothing"));
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
    limit.add(make_issue("CLIP_EMPTY", "a.glb", std::to_string(i), "empty"), issues);
  }
  limit.add(make_issue("NO_VOLUME", "a.glb", "", "flat"), issues);
  REQUIRE(issues.size() == 10'001);
  CHECK(issues[9'998].count == 1);
  CHECK(issues[9'999].count == 11);
  CHECK(issues[10'000].code == "NO_VOLUME");
}

TEST_CASE("issue: a code with few locations is left unchanged") {
  Issues few;
  for (std::size_t i = 0; i <= kPlacesListed; ++i) {
    few.push_back(make_issue("CLIP_EMPTY", "a", "/" + std::to_string(i), "nothing"));
  }
  const Issues folded = fold_repeated(few);
  REQUIRE(folded.size() == few.size());
  CHECK(std::all_of(folded.begin(), folded.end(),
                    [](const Issue& issue) { return issue.message == "nothing"; }));
}

TEST_CASE("codes: are UPPER_SNAKE words in alphabetical order") {
  std::string_view before;
  for (const CodeInfo& info : code_table()) {
    CAPTURE(info.code);
    CHECK(before < info.code);
    CHECK(std::all_of(info.code.begin(), info.code.end(),
                      [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; }));
    CHECK(code_info(info.code).code == info.code);
    before = info.code;
  }
  CHECK(code_table().size() > 80);
  CHECK_THROWS_AS(code_info("NO_CODE"), std::logic_error);
}

TEST_CASE("codes: have a meaning and a remedy of one line, which name no option") {
  for (const CodeInfo& info : code_table()) {
    CAPTURE(info.code);
    CHECK(info.meaning.size() >= 10);
    if (info.kind > CodeKind::kNotComparable) CHECK(info.remedy.size() >= 10);
    for (const std::string_view text : {info.meaning, info.remedy}) {
      CHECK(text.find_first_of("\n|") == std::string_view::npos);
      CHECK(text.find("--") == std::string_view::npos);
    }
  }
}

}  // namespace skinbake
