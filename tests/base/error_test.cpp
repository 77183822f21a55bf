#include "skinbake/error.h"

#include <doctest/doctest.h>

namespace skinbake {
namespace {

Issue issue(std::string code, std::string file, std::string pointer, std::int64_t count = 1) {
  return {std::move(code), Severity::kWarning, std::move(file), std::move(pointer), "text", count};
}

}  // namespace

TEST_CASE("error: what() is one line with the file, the element, the message and the remedy") {
  const auto line = [](const Location& place) {
    return std::string(Error("CLIP_UNKNOWN", "what", place).what());
  };
  CHECK(line({}) == "what");
  CHECK(line({"a.glb", ""}) == "a.glb: what");
  CHECK(line({"a.glb", "/skins/0"}) == "a.glb /skins/0: what");
  CHECK(line({"", "/skins/0"}) == "/skins/0: what");
  CHECK(std::string(Error("NODE_CYCLE", "what").what()) == "what; export the file again");
  CHECK(std::string(Error("NODE_CYCLE", "what", {}, "do").what()) == "what; do");
}

TEST_CASE("error: a zero byte of a name does not end what()") {
  const std::string name("a\0b", 3);
  const Error error("CLIP_UNKNOWN", "'" + name + "'", {name, ""});
  CHECK(std::string(error.what()) == "a\uFFFDb: 'a\uFFFDb'");
  CHECK(error.message() == "'a\uFFFDb'");
}

TEST_CASE("error: stores its kind, its code and its location") {
  const Error error("OUTPUT_NOT_WRITTEN", "m", {"f", "/p"});
  CHECK(error.kind() == ErrorKind::kOutput);
  CHECK(error.code() == "OUTPUT_NOT_WRITTEN");
  CHECK(error.message() == "m");
  CHECK(Error("NODE_CYCLE", "m").remedy() == "export the file again");
  CHECK(error.location().file == "f");
  CHECK(error.location().pointer == "/p");
}

TEST_CASE("error: severities have names") {
  CHECK(to_string(Severity::kError) == "error");
  CHECK(to_string(Severity::kWarning) == "warning");
  CHECK(to_string(Severity::kInfo) == "info");
}

TEST_CASE("issues: an empty list stays empty") {
  CHECK(sorted_unique({}).empty());
}

TEST_CASE("issues: sorted by file, pointer, code") {
  const Issues sorted = sorted_unique(
      {issue("B", "b", "/1"), issue("A", "b", "/1"), issue("Z", "b", "/0"), issue("Z", "a", "/9")});
  REQUIRE(sorted.size() == 4);
  CHECK(sorted[0].file == "a");
  CHECK(sorted[1].pointer == "/0");
  CHECK(sorted[2].code == "A");
  CHECK(sorted[3].code == "B");
}

TEST_CASE("issues: equal findings at one position become one entry with the sum of their counts") {
  const Issues sorted = sorted_unique({issue("A", "f", "/0", 2), issue("B", "f", "/0"),
                                       issue("A", "f", "/0", 5), issue("A", "f", "/1")});
  REQUIRE(sorted.size() == 3);
  CHECK(sorted[0].count == 7);
  CHECK(sorted[1].count == 1);
  CHECK(sorted[2].pointer == "/1");
}

}  // namespace skinbake
