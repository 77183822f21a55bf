#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "metrics/shapes.h"
#include "skinbake/report.h"

namespace skinbake {
namespace {

// A small report with every section, from made-up numbers.
struct Example {
  Rig rig;
  Clip clip;
  Report report;

  Example() {
    rig = test::rigid(test::tetrahedron());
    rig.id = "Body";
    auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
    skeleton->nodes[0].name = "Body";
    rig.skeleton = skeleton;
    auto mesh = std::make_shared<Mesh>(*rig.mesh);
    mesh->name = "Body.001";
    rig.mesh = mesh;
    clip.id = clip.name = "run";
    clip.index = 2;
    clip.duration_s = 0.1;
    const FrameRange frames{30, 2, 1, 2};
    const std::string hash(32, 'a');
    report.command = "bake";
    report.inputs = {{"rig", "hero.glb", 490264, hash}};
    report.settings.reference = "lbs";
    report.clips = {{&clip, frames}};
    report.outputs = {{"run.pc2", "pc2", "Body", "run", "dqs", 224, hash}};
    report.checks = {{"--fail-volume-loss",
                      "fail",
                      "volume.max_loss",
                      0.02,
                      "1",
                      0.0266,
                      false,
                      1,
                      "Body",
                      "run",
                      "dqs",
                      3,
                      {}}};
    report.issues = {
        {"WEIGHTS_ZERO", Severity::kWarning, "hero.glb", "/meshes/1", "b \"quoted\"", 1},
        {"WEIGHTS_RENORMALISED", Severity::kWarning, "hero.glb", "/meshes/0", "a", 2}};
    const BaselinePose baseline = bind_baseline(rig);
    MeshRecord& record = report.meshes.emplace_back();
    record.rig = &rig;
    record.bbox_diagonal_m = 1.5;
    record.topology = build_topology(rig, baseline);
    record.topology->components[0].cap_area_fraction = 0;
    RunRecord& run = record.runs.emplace_back();
    run.clip = "run";
    run.method = "dqs";
    run.frames = frames;
    run.reference = "lbs";
    run.error = error();
    run.volume = volume();
  }

  static PositionErrorResult error() {
    PositionErrorResult e;
    e.rms = 0.002;
    e.mean = 0.001;
    e.max = 0.0062;
    e.max_at = {1, 2};
    e.rms_relative = 0.0012;
    e.max_relative = 0.0036;
    e.erms = 1.4;
    e.per_frame = {{0, 0.001}, {0, 0.0009}, {0, 0.0062}, {0, 2}, {0, 0.5}, {0, 0.25}, {-0.0, 1}};
    e.per_vertex = {{0.001, 0.1, 0.002, 0}, {0.002, 0.1, 0.1, 0}, {0, 1, 1, 0}};
    return e;
  }

  static VolumeResult volume() {
    VolumeResult v;
    v.total = VolumeResult::Extremes{0.25, 0.0266, 0, {1, -1}, {0, -1}};
    v.volume_m3 = {0.25, 0.24};
    v.loss = {0, 0.0266};
    VolumeResult::PerComponent& component = v.components.emplace_back();
    static_cast<VolumeResult::Extremes&>(component) = *v.total;
    VolumeResult::PerJoint& joint = v.joints.emplace_back();
    static_cast<VolumeResult::Extremes&>(joint) = *v.total;
    joint.triangle_count = 2;
    joint.loss = {0, 0.0266};
    return v;
  }
};

// The file, but of this version.
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

TEST_CASE("report: an empty one has its small sections and no outputs") {
  Report report;
  report.command = "compare";
  const std::string text = to_json(report);
  CHECK_FALSE(contains(text, "\"outputs\""));
  CHECK(contains(text, "\"issues\": [],\n  \"meshes\": []\n}\n"));
  CHECK(contains(text, "\"status\": \"none\""));
}

TEST_CASE("report: its bytes are a contract") {
  const Example example;
  CHECK(to_json(example.report) == golden());
}

TEST_CASE("report: sections that were not asked for are absent") {
  Example example;
  example.report.per_vertex = PerVertex::kNone;
  example.report.meshes[0].runs[0].volume.reset();
  example.report.meshes[0].topology.reset();
  const std::string text = to_json(example.report);
  CHECK_FALSE(contains(text, "per_vertex"));
  CHECK_FALSE(contains(text, "\"volume\""));
  CHECK_FALSE(contains(text, "\"topology\""));
}

TEST_CASE("report: what has no value is null, and so is its place") {
  Example example;
  VolumeResult& volume = *example.report.meshes[0].runs[0].volume;
  volume = {};
  volume.volume_m3 = volume.loss = {std::nan(""), std::nan("")};
  example.report.checks[0].value.reset();
  example.report.checks[0].frame.reset();
  const std::string text = to_json(example.report);
  CHECK(contains(text, "\"baseline\": null,\n"));
  CHECK(contains(text, "\"max_loss\": null, \"max_loss_at\": null, \"min_loss\": null"));
  CHECK(contains(text, "\"loss\": [null, null]"));
  CHECK(contains(text, "\"value\": null"));
  CHECK(contains(text, "\"at\": null"));
}

TEST_CASE("report: the rest pose has no clip, names that are missing are null") {
  Example example;
  example.report.clips[0].clip = nullptr;
  example.report.meshes[0].runs[0].clip = "";
  auto mesh = std::make_shared<Mesh>(*example.rig.mesh);
  mesh->name = "";
  example.rig.mesh = mesh;
  const std::string text = to_json(example.report);
  CHECK(contains(text, "{\"id\": null, \"index\": null, \"name\": null, \"duration_s\": 0,"));
  CHECK(contains(text, "\"clip\": null, \"method\": \"dqs\""));
  CHECK(contains(text, "\"mesh_name\": null"));
}

TEST_CASE("report: the verdict is the worst of its checks") {
  Report report;
  CHECK(verdict_status(report) == "none");
  Check check;
  check.severity = "warn";
  check.passed = true;
  report.checks = {check};
  CHECK(verdict_status(report) == "pass");
  report.checks[0].passed = false;
  CHECK(verdict_status(report) == "warn");
  check.severity = "fail";
  check.passed = false;
  report.checks.push_back(check);
  CHECK(verdict_status(report) == "fail");
}

TEST_CASE("report: at most ten worst vertices") {
  Example example;
  PositionErrorResult& error = *example.report.meshes[0].runs[0].error;
  error.per_vertex.max.assign(4, 0.5);
  const std::string text = to_json(example.report);
  CHECK(contains(text, "\"worst_vertices\": [{\"vertex\": 0,"));
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find("\"primitive\"", at)) != std::string::npos; ++at)
    ++count;
  CHECK(count == 4);
}

TEST_CASE("report: the schema is part of the library") {
  CHECK(report_schema().find("\"$schema\": \"https://json-schema.org/draft/2020-12/schema\"") !=
        std::string_view::npos);
  CHECK(report_schema().back() == '\n');
}

}  // namespace skinbake
