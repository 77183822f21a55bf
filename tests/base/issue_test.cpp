#include "base/issue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "support/temporary_folder.h"

namespace skinbake {
namespace {

// lib/base/README.md, from the table.
std::string readme() {
  std::string text =
      "# base: errors, issues, files, memory\n"
      "\n"
      "An `Error` ends the run; an `Issue` is a finding that the run survives: it is printed to "
      "standard\n"
      "error and stands in the report. A code never changes its meaning.\n"
      "\n"
      "This table is `SKINBAKE_ISSUES` in `issue.h`; a test compares the two and prints this file "
      "as it\n"
      "should be.\n"
      "\n"
      "| code | severity | what to do, or what was done |\n"
      "|---|---|---|\n";
  for (const IssueInfo& info : issue_table()) {
    text += "| `" + std::string(info.code) + "` | " + std::string(to_string(info.severity)) +
            " | " + std::string(info.remedy) + " |\n";
  }
  return text;
}

}  // namespace

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

TEST_CASE("issue: the README of this folder is the table") {
  const std::string written = test::read_file(SKINBAKE_SOURCE_DIR "/lib/base/README.md");
  if (written != readme()) MESSAGE("lib/base/README.md should be:\n", readme());
  CHECK((written == readme()));
}

}  // namespace skinbake
