#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "skinbake/compare.h"
#include "skinbake/error.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using Json = nlohmann::json;
using test::TemporaryFolder;

Json example() {
  return Json::parse(R"({
    "schema": "skinbake.report", "schema_version": "1.0", "tool": {"version": "1"},
    "command": "bake", "inputs": [{"xxh128": "00"}], "outputs": [{"bytes": 5}],
    "verdict": {"status": "pass"},
    "meshes": [{"id": "a/b~c", "runs": [{"error": {"rms": 0.5, "max": 100, "kg": null,
                                                   "a/b~c": [1, 2, 3]}}]}]
  })");
}

constexpr std::uint64_t kEnough = std::uint64_t{1} << 30;

ReportChanges compare(const Json& a, const Json& b, ReportTolerance tolerance = {}) {
  const TemporaryFolder folder;
  test::write_file(folder / "a.json", a.dump());
  test::write_file(folder / "b.json", b.dump());
  return compare_reports(folder / "a.json", folder / "b.json", {tolerance}, kEnough);
}

Json with(const char* pointer, const Json& value) {
  Json report = example();
  report[Json::json_pointer(pointer)] = value;
  return report;
}

// The code and the kind of the error.
std::pair<std::string, ErrorKind> refusal_of(const std::string& a, const std::string& b,
                                             std::uint64_t max_memory = kEnough) {
  const TemporaryFolder folder;
  test::write_file(folder / "a.json", a);
  test::write_file(folder / "b.json", b);
  try {
    compare_reports(folder / "a.json", folder / "b.json", {}, max_memory);
  } catch (const Error& error) {
    return {error.code(), error.kind()};
  }
  return {"not refused", ErrorKind{}};
}

}  // namespace

TEST_CASE("report changes: reports that differ only in files and program are equal") {
  Json other = example();
  other["tool"]["version"] = "2";
  other["inputs"] = Json::array();
  other["outputs"][0]["bytes"] = 6;
  const ReportChanges changes = compare(example(), other);
  CHECK(changes.count == 0);
  CHECK(changes.changes.empty());
  CHECK(changes.compared == 11);
  CHECK(changes.a.role == "a");
  CHECK(changes.b.role == "b");
  CHECK(changes.a.path == "a.json");  // the file name of an absolute path
  CHECK(changes.a.bytes == example().dump().size());
}

TEST_CASE("report changes: a change has a JSON pointer and both values") {
  const ReportChanges changes = compare(example(), with("/meshes/0/runs/0/error/a~1b~0c/1", 2.5));
  REQUIRE(changes.count == 1);
  CHECK(changes.changes[0].pointer == "/meshes/0/runs/0/error/a~1b~0c/1");
  CHECK(changes.changes[0].a == "2");
  CHECK(changes.changes[0].b == "2.5");
}

TEST_CASE("report changes: numbers may differ by the tolerance, but not by more") {
  const Json moved = with("/meshes/0/runs/0/error/max", 101);
  CHECK(compare(example(), moved).count == 1);
  CHECK(compare(example(), moved, {0.5, false}).count == 1);
  CHECK(compare(example(), moved, {1, false}).count == 0);
  CHECK(compare(example(), moved, {0.0099, true}).count == 1);
  CHECK(compare(example(), moved, {0.0100, true}).count == 0);  // 1 of 101
}

namespace {

// The number of changes if the text of one issue refers to other names of the files.
std::int64_t changes_of_names(const Json& inputs_a, const std::string& a, const Json& inputs_b,
                              const std::string& b) {
  Json first = with("/issues/0/message", a), second = with("/issues/0/message", b);
  first["inputs"] = inputs_a;
  second["inputs"] = inputs_b;
  return compare(first, second).count;
}

Json input(const std::string& path, const std::string& role) {
  return {{"path", path}, {"role", role}};
}

}  // namespace

TEST_CASE("report changes: a text that names an input file is equal by the file's role") {
  const Json old = Json::array({input("old.glb", "rig"), input("it's.bin", "buffer")});
  const Json later = Json::array({input("new.glb", "rig"), input("b.bin", "buffer")});
  CHECK(changes_of_names(old, "old.glb", later, "new.glb") == 0);
  CHECK(changes_of_names(old, "it's 'old.glb' or 'it's.bin'", later, "it's 'new.glb' or 'b.bin'") ==
        0);
  CHECK(changes_of_names(old, "'old.glb", later, "'new.glb") == 1);
  CHECK(changes_of_names(old, "'old.glb' 1", later, "'new.glb' 2") == 1);
  CHECK(changes_of_names(old, "'old.glb'", later, "'b.bin'") == 1);
  CHECK(changes_of_names(old, "'old.glb'", later, "'other.glb'") == 1);
}

TEST_CASE("report changes: a role is not searched for names, and a long one is none") {
  const Json nested = Json::array({input("a", "'b'"), input("b", "rig")});
  const Json later = Json::array({input("x", "rig")});
  CHECK(changes_of_names(nested, "in 'a'", later, "in 'x'") == 1);
  CHECK(changes_of_names(nested, "in 'b'", later, "in 'x'") == 0);
  const std::string role(1000, 'r');
  const Json a = Json::array({input("a", role)}), b = Json::array({input("b", role)});
  CHECK(changes_of_names(a, "in 'a'", b, "in 'b'") == 1);
}

TEST_CASE("report changes: the tolerance applies to numbers only") {
  const ReportTolerance any{1e9, false};
  CHECK(compare(example(), with("/verdict/status", "fail"), any).count == 1);
  CHECK(compare(example(), with("/meshes/0/runs/0/error/kg", 1), any).count == 1);
  CHECK(compare(example(), with("/meshes/0/runs/0/error/rms", nullptr), any).count == 1);
  CHECK(compare(example(), with("/meshes/0/runs/0/error", 1), any).count == 1);
}

TEST_CASE("report changes: absent members and arrays of different lengths are changes") {
  Json more = example();
  more["meshes"][0]["runs"][0]["volume"] = {{"loss", 1}};
  const ReportChanges added = compare(example(), more);
  REQUIRE(added.count == 1);
  CHECK(added.changes[0].pointer == "/meshes/0/runs/0/volume");
  CHECK(added.changes[0].a.empty());
  CHECK(added.changes[0].b == "an object");
  const ReportChanges removed = compare(more, example());
  REQUIRE(removed.count == 1);
  CHECK(removed.changes[0].b.empty());
  more = example();
  more["meshes"].push_back(more["meshes"][0]);
  const ReportChanges longer = compare(example(), more);
  REQUIRE(longer.count == 1);
  CHECK(longer.changes[0].a == "an array of 1");
  CHECK(longer.changes[0].b == "an array of 2");
}

TEST_CASE("report changes: all changes are counted, and the first thousand are listed") {
  const std::vector<int> zeros(5000, 0), ones(5000, 1);
  const ReportChanges changes = compare(with("/meshes/0/x", zeros), with("/meshes/0/x", ones));
  CHECK(changes.count == 5000);
  CHECK(changes.changes.size() == 1000);
}

TEST_CASE("report changes: a file that is not a report is refused") {
  const std::string good = example().dump();
  CHECK(refusal_of("", good) ==
        std::pair<std::string, ErrorKind>("REPORT_INVALID", ErrorKind::kInput));
  CHECK(refusal_of(good, "{").first == "REPORT_INVALID");
  CHECK(refusal_of(good, "[]").first == "REPORT_INVALID");
  CHECK(refusal_of(good, R"({"schema": "skinbake.cache"})").first == "REPORT_INVALID");
  CHECK(refusal_of(good, R"({"schema": 5})").first == "REPORT_INVALID");
  CHECK(refusal_of(good, R"({"schema": "skinbake.report"})").first == "REPORT_INVALID");
  const std::string deep = R"({"schema": "skinbake.report", "schema_version": "1.0", "command":
      "bake", "x": )" + std::string(100000, '[') +
                           std::string(100000, ']') + "}";
  CHECK(refusal_of(deep, deep).first == "REPORT_INVALID");
}

TEST_CASE("report changes: the memory limit applies to both reports together") {
  const std::string small = example().dump();
  const std::string large = with("/meshes/0/x", std::vector<int>(100'000, 1)).dump();
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  CHECK(refusal_of(small, large, 8 * kMiB).first == "not refused");
  CHECK(refusal_of(large, large, 8 * kMiB) ==
        std::pair<std::string, ErrorKind>("MEMORY_LIMIT", ErrorKind::kInput));
  CHECK(refusal_of(small, large, kMiB).first == "MEMORY_LIMIT");
  CHECK(refusal_of(small, small, 5).first == "MEMORY_LIMIT");  // less than the size of the file
}

TEST_CASE(
    "report changes: reports of different commands are not comparable, and version 2 is refused") {
  const std::string good = example().dump();
  CHECK(refusal_of(good, with("/command", "diff").dump()) ==
        std::pair<std::string, ErrorKind>("NOT_COMPARABLE", ErrorKind::kNotComparable));
  const std::string later = with("/schema_version", "2.0").dump();
  CHECK(refusal_of(good, later) ==
        std::pair<std::string, ErrorKind>("REPORT_INVALID", ErrorKind::kInput));
  CHECK(refusal_of(later, later).first == "REPORT_INVALID");
  CHECK(refusal_of(with("/schema_version", 1).dump(), good).first == "REPORT_INVALID");
  CHECK(refusal_of(good, with("/schema_version", "1.7").dump()).first == "not refused");
}

}  // namespace skinbake
