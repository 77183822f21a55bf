#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "report/small_report.h"
#include "skinbake/report.h"

namespace skinbake {
namespace {

using test::SmallReport;

// The golden file with the version of this build.
std::string golden() {
  const auto path =
      std::filesystem::path(SKINBAKE_SOURCE_DIR) / "tests/report/ref/small.report.json";
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  constexpr std::string_view kVersion = "\"version\": \"";
  const std::size_t at = text.find(kVersion) + kVersion.size();
  return text.replace(at, text.find('"', at) - at, version());
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("report: an empty report has its small sections and no outputs") {
  Report report;
  report.command = "compare";
  const std::string text = to_json(report);
  CHECK_FALSE(contains(text, "\"outputs\""));
  CHECK(contains(text, "\"issues\": [],\n  \"meshes\": []\n}\n"));
  CHECK(contains(text, "\"status\": \"none\""));
}

TEST_CASE("report: the bytes are a contract") {
  const SmallReport example;
  CHECK(to_json(example.report) == golden());
}

TEST_CASE("report: sections that were not requested are absent") {
  SmallReport example;
  example.report.per_vertex = PerVertex::kNone;
  example.report.meshes[0].runs[0].volume.reset();
  example.report.meshes[0].topology.reset();
  const std::string text = to_json(example.report);
  CHECK_FALSE(contains(text, "per_vertex"));
  CHECK_FALSE(contains(text, "\"volume\""));
  CHECK_FALSE(contains(text, "\"topology\""));
}

TEST_CASE("report: a missing value is null, and so is its place") {
  SmallReport example;
  VolumeResult& volume = *example.report.meshes[0].runs[0].volume;
  volume = {};
  volume.volume_m3 = volume.loss = {std::nan(""), std::nan("")};
  example.report.checks[0].value.reset();
  example.report.checks[0].frame.reset();
  const std::string text = to_json(example.report);
  CHECK(contains(text, "\"baseline\": null,\n"));
  CHECK(contains(text, "\"max_loss\": null,\n"));
  CHECK(contains(text, "\"loss\": [null, null]"));
  CHECK(contains(text, "\"value\": null"));
  CHECK(contains(text, "\"at\": null"));
}

TEST_CASE("report: the rest pose does not have a clip, and missing names are null") {
  SmallReport example;
  example.report.clips[0].clip = nullptr;
  example.report.meshes[0].runs[0].clip = "";
  auto mesh = std::make_shared<Mesh>(*example.rig.mesh);
  mesh->name = "";
  example.rig.mesh = mesh;
  const std::string text = to_json(example.report);
  CHECK(contains(text, "{\"id\": null, \"index\": null, \"name\": null, \"duration_s\": 0, "));
  CHECK(contains(text, "\"clip\": null,\n          \"method\": \"dqs\""));
  CHECK(contains(text, "\"mesh_name\": null"));
}

TEST_CASE("report: the verdict is the worst of its checks") {
  Report report;
  CHECK((verdict_status(report) == VerdictStatus::kNone));
  Check check;
  check.severity = CheckSeverity::kWarn;
  check.passed = true;
  report.checks = {check};
  CHECK((verdict_status(report) == VerdictStatus::kPass));
  report.checks[0].passed = false;
  CHECK((verdict_status(report) == VerdictStatus::kWarn));
  check.severity = CheckSeverity::kFail;
  check.passed = false;
  report.checks.push_back(check);
  CHECK((verdict_status(report) == VerdictStatus::kFail));
}

TEST_CASE("report: enums have the words of the schema") {
  CHECK(to_string(CheckSeverity::kWarn) == "warn");
  CHECK(to_string(CheckSeverity::kFail) == "fail");
  CHECK(to_string(VerdictStatus::kNone) == "none");
  CHECK(to_string(VerdictStatus::kPass) == "pass");
  CHECK(to_string(VerdictStatus::kWarn) == "warn");
  CHECK(to_string(VerdictStatus::kFail) == "fail");
  CHECK(to_string(Unit::kRatio) == "1");
  CHECK(to_string(Unit::kMetres) == "m");
  CHECK(to_string(Unit::kCubicMetres) == "m3");
  CHECK(to_string(Unit::kRadians) == "rad");
  CHECK(to_string(Space::kScene) == "scene");
  CHECK(to_string(Space::kMesh) == "mesh");
  CHECK(to_string(Baseline::kBind) == "bind");
  CHECK(to_string(Baseline::kRest) == "rest");
  CHECK(to_string(Baseline::kFirstFrame) == "first-frame");
}

TEST_CASE("report: at most ten worst vertices are listed") {
  SmallReport example;
  PositionErrorResult& error = *example.report.meshes[0].runs[0].error;
  error.per_vertex.max.assign(4, 0.5);
  const std::string text = to_json(example.report);
  CHECK(contains(text, "\"worst_vertices\": [\n              {\"vertex\": 0,"));
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find("\"primitive\"", at)) != std::string::npos; ++at)
    ++count;
  CHECK(count == 4);
}

TEST_CASE("report: the library contains the schema") {
  CHECK(report_schema().find("\"$schema\": \"https://json-schema.org/draft/2020-12/schema\"") !=
        std::string_view::npos);
  CHECK(report_schema().back() == '\n');
}

TEST_CASE("report: a number is found by its path, and its place beside it") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const MetricResult section{
      "some",
      {{"max", 2.0},
       {"max_at", Place{.frame = 3, .vertex = 4}},
       {"count", std::int64_t{5}},
       {"bind", std::vector<SectionField>{{"max", nan}, {"max_at", Place{}}}}}};
  CHECK(number_at(section, "max") == 2);
  CHECK(number_at(section, "count") == 5);
  CHECK(std::isnan(number_at(section, "bind.max").value()));
  CHECK_FALSE(number_at(section, "bind"));
  CHECK_FALSE(number_at(section, "min"));
  REQUIRE(place_of(section, "max"));
  CHECK(place_of(section, "max")->vertex == 4);
  CHECK_FALSE(place_of(section, "count"));
  CHECK_FALSE(place_of(section, "bind.max"));
}

}  // namespace skinbake
