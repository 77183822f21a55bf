// The numbers that differ between newer and older reports.

#include "report/changes.h"

#include <doctest/doctest.h>

#include <string>

#include "report/document.h"
#include "report/small_report.h"
#include "skinbake/error.h"

namespace skinbake {
namespace {

NamedReport plain_report() {
  const test::SmallReport example;
  return {"a.json", document_of(example.report)};
}

Json& first_run(NamedReport& report) {
  return report.document["meshes"][0]["runs"][0];
}

ReportChanges changes(const NamedReport& after, const NamedReport& before,
                      const Tolerances& tolerances = {}) {
  return changes_between({&after, 1}, {&before, 1}, tolerances);
}

std::string code_of(const NamedReport& after, const NamedReport& before) {
  try {
    changes(after, before);
  } catch (const Error& error) {
    return error.code();
  }
  return "";
}

TEST_CASE("report changes: a report does not differ from itself, nor by the name of its rig") {
  const NamedReport before = plain_report();
  NamedReport after = before;
  after.document["inputs"][0]["path"] = "hero_v2.glb";
  const ReportChanges none = changes(after, before);
  CHECK(none.changes.empty());
  CHECK(none.compared > 8);
  CHECK(!none.is_beyond());
}

TEST_CASE("report changes: a larger error is worse, and the worse ones are first") {
  const NamedReport before = plain_report();
  NamedReport after = before;
  first_run(after)["error"]["max"] = 0.0124;
  first_run(after)["volume"]["max_loss"] = 0.0133;
  first_run(after)["volume"]["baseline"] = 0.5;
  const ReportChanges all = changes(after, before);
  REQUIRE(all.changes.size() == 3);
  CHECK(all.changes[0].key == "error.max");
  CHECK(all.changes[0].is_worse());
  CHECK(all.changes[0].before == 0.0062);
  CHECK(all.changes[0].relative() == doctest::Approx(0.5));
  CHECK(std::count_if(all.changes.begin(), all.changes.end(),
                      [](const ReportChange& change) { return change.is_better(); }) == 1);
}

TEST_CASE("report changes: a tolerance is of one key or of all, relative or absolute") {
  const NamedReport before = plain_report();
  NamedReport after = before;
  first_run(after)["error"]["max"] = 0.0062 * 1.005;
  const auto is_beyond = [&](std::optional<Tolerance> all, std::optional<Tolerance> of_max) {
    Tolerances tolerances{"0", all, {}};
    if (of_max) tolerances.of["error.max"] = *of_max;
    return changes(after, before, tolerances).is_beyond();
  };
  CHECK(is_beyond(Tolerance{}, {}));
  CHECK(!is_beyond(Tolerance{0.01, true}, {}));
  CHECK(!is_beyond({}, Tolerance{0.001, false}));
  CHECK(is_beyond(Tolerance{1, false}, Tolerance{0.00001, false}));
}

TEST_CASE("report changes: a number without a tolerance may change") {
  const NamedReport before = plain_report();
  NamedReport after = before;
  first_run(after)["error"]["max"] = 0.0124;
  CHECK(!changes(after, before).is_beyond());
  CHECK(!changes(after, before, {"error.rms=1", {}, {{"error.rms", {1, false}}}}).is_beyond());
}

TEST_CASE("report changes: a tolerance of an unknown key is refused") {
  const NamedReport report = plain_report();
  CHECK_THROWS_WITH_AS(changes(report, report, {"error.maks=0", {}, {{"error.maks", {}}}}),
                       doctest::Contains("did you mean 'error.max'"), Error);
}

TEST_CASE("report changes: a number or a run that one side lacks is beyond any tolerance") {
  const NamedReport before = plain_report();
  NamedReport after = before;
  first_run(after).erase("volume");
  CHECK(changes(after, before, {"1e9", Tolerance{1e9, false}, {}}).is_beyond());
  after = before;
  Json mesh = after.document["meshes"][0];
  mesh["id"] = "Other";
  after.document["meshes"].push_back(mesh);
  CHECK(changes(after, before).only_after.size() == 1);
  CHECK(changes(before, after).only_before.size() == 1);
}

TEST_CASE("report changes: unlike references, rates and methods are not comparable") {
  const NamedReport before = plain_report();
  for (const char* what : {"reference", "rate", "method", "mesh"}) {
    CAPTURE(what);
    NamedReport after = before;
    const std::string changed = what;
    if (changed == "reference") first_run(after)["error"]["reference"] = "cor";
    if (changed == "rate") after.document["clips"][0]["fps"] = 24;
    if (changed == "method") first_run(after)["method"] = "cor";
    if (changed == "mesh") after.document["meshes"][0]["id"] = "Other";
    CHECK(code_of(after, before) == "NOT_COMPARABLE");
  }
}

TEST_CASE("report changes: the newer document has them for its pages") {
  const NamedReport before = plain_report();
  NamedReport after = before;
  first_run(after)["error"]["max"] = 0.0124;
  const ReportChanges all = changes(after, before);
  add_changes(all, {&after, 1});
  const Json& value = after.document["changes"]["values"][0];
  CHECK(value["key"] == "error.max");
  CHECK(value["verdict"] == "worse");
  CHECK(value["change"] == doctest::Approx(0.0062));
}

}  // namespace
}  // namespace skinbake
