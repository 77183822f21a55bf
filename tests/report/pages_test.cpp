// Pages of a report are the same whether its JSON is parsed or its results are converted directly.
// This file also tests the texts that pages share with the terminal.

#include <doctest/doctest.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "clip/clip_motion.h"
#include "report/pages/escape.h"
#include "report/read/parsed_report.h"
#include "report/report_text.h"
#include "report/small_report.h"
#include "report/surface_report.h"

namespace skinbake {
namespace {

using test::SmallReport;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A metric with every kind of field.
MetricResult every_field() {
  return {"stretch",
          {{"unit", std::string("m")},
           {"worst", 1.5},
           {"worst_at", Place{1, 3}},
           {"triangle", 2.5},
           {"triangle_at", Place{0, -1, 2}},
           {"edge", 3.5},
           {"edge_at", Place{0, -1, -1, {1, 2}}},
           {"joint", 4.5},
           {"joint_at",
            std::vector<MetricField>{
                {"frame", std::int64_t{3}}, {"time_s", 0.1}, {"joint", std::string("<elbow>")}}},
           {"nowhere", kInfinity},
           {"nowhere_at", Place{}},
           {"count", std::int64_t{7}},
           {"per_frame", std::vector<MetricField>{{"z", std::vector<double>{kNan, 2}},
                                                  {"a", std::vector<double>{1, kInfinity}},
                                                  {"n", std::vector<std::int64_t>{3, 4}},
                                                  {"a_vertex", std::vector<std::int64_t>{0, 1}}}},
           {"list", std::vector<std::vector<MetricField>>{{{"index", 0.5}}}}}};
}

MetricResult in_between() {
  return {"in_between",
          {{"unit", std::string("m")},
           {"max", 0.25},
           {"sufficient_fps", std::vector<MetricField>{{"limit", 0.01}, {"fps", kNan}}}}};
}

// Readers of a report leave out a section whose series do not have one value per frame.
MetricResult odd_series() {
  return {"odd",
          {{"value", 1.0},
           {"per_frame", std::vector<MetricField>{{"value", std::vector<double>{1, 2, 3}}}}}};
}

Explanation explanation() {
  Explanation e;
  e.mesh = "Body";
  e.clip = "run";
  e.method = "dqs";
  e.reference = "lbs";
  e.frame = 3;
  e.time_s = 0.1;
  e.pose = "<arms> | `up`";
  e.vertex = 2;
  e.error_m = 0.0062;
  e.primitive_vertex = 2;
  e.influences = {{0, "hip", 0.75, 0, false, 1, false}, {1, "knee", 0.25, 3.1, true, 2, true}};
  e.widest = JointPair{0, 1, 3.1};
  e.cause = "hip and knee <are> far apart";
  return e;
}

Recommendation recommendation() {
  Recommendation r;
  r.limits = {{"--fail-volume-loss", "volume.max_loss", Unit::kRatio, 0.05},
              {"--fail-max", "error.max", Unit::kMetres, 0.01}};
  r.method = "dqs";
  r.candidates = {{"lbs",
                   1,
                   {WorstValue{0.5, "Body", "run", 3, 2, {}, "hip", "<arms>"}, std::nullopt},
                   false,
                   true},
                  {"dqs",
                   {},
                   {WorstValue{kNan, "", "", {}, {}}, WorstValue{0.001, "", "", {}, {}}},
                   true,
                   true}};
  return r;
}

// Poses with names that every page must escape.
class NamedPoses final : public ClipMotion {
 public:
  const std::vector<NodeIndex>& nodes() const override { return nodes_; }
  void sample(double, std::span<NodePose>) const override {}
  std::string pose_name(double time_s) const override {
    return time_s > 0.08 ? "<arms> | `up`" : "";  // from frame 3 on
  }
  const std::vector<double>& key_times() const override { return key_times_; }

 private:
  std::vector<NodeIndex> nodes_;
  std::vector<double> key_times_{0};
};

// Every section of a report.
struct FullReport : SmallReport {
  FullReport() {
    clip.motion = std::make_shared<const NamedPoses>();
    report.meshes.front().runs.front().frames.clip = &clip;
    report.settings.map = "names.json";
    report.settings.retarget = RetargetSettings{};
    report.clips.front().file = "moves.glb";
    report.settings.modifiers = {"influences=4"};
    report.settings.joint_params = {{"hip", {{"r0", 0.1}}}};
    report.verification = {
        {"run.pc2", "pc2", "Body", "run", "dqs", 1e-7, 2e-7, 3, 2, {}, {}, true},
        {"run.glb", "glb", "Body", "", "dqs", kInfinity, 2e-7, {}, 9, {}, {}, true}};
    report.verification[0].normals = VerificationRecord::Directions{0.001, 0.008, 3, 1};
    report.verification[0].tangents = VerificationRecord::Directions{kNan, 0.008, {}, 7};
    report.explain = {explanation()};
    report.recommendation = recommendation();
    report.changes = ReportChanges{120, 2, {{"/a", "1", ""}, {"/b", "", "2"}}, {}, {}};
    Check& check = report.checks.front();
    check.pose = "<arms> | `up`";
    check.value = kNan;
    check.vertex_limit_m = 0.5;
    check.failures = 2;
    Check other = check;
    other.method = "lbs";
    other.frame.reset();
    other.vertex = 4;
    check.methods = {check, other};
    RunRecord& run = report.meshes.front().runs.front();
    run.metrics = {every_field(), odd_series(), in_between()};
    run.profile = "unreal-4";
    run.error->kg_percent = kNan;
    run.error->per_frame.p99[0] = kInfinity;
    run.error->per_vertex.max = {0.1, 1.0 / 3, 1e-30, kNan};
    run.difference = Difference{*run.error, false, 3, 2, {}, {}};
    RunRecord rest = run;
    rest.clip = "";
    rest.frames.frame_count = 2;
    rest.volume->total.reset();
    report.clips.push_back({nullptr, rest.frames});
    report.meshes.front().runs.push_back(rest);
    RunRecord bare;
    bare.clip = "run";
    bare.frames = report.meshes.front().runs.front().frames;
    report.meshes.front().runs.push_back(bare);
  }
};

// Measured numbers of a report. Limits and bounds are not measured; they are finite.
std::vector<double*> measured_numbers(Report& report) {
  std::vector<double*> all;
  const auto add = [&](std::vector<double>& numbers) {
    for (double& number : numbers) all.push_back(&number);
  };
  for (VerificationRecord& v : report.verification) all.push_back(&v.max_m);
  for (Check& check : report.checks) {
    if (check.value) all.push_back(&*check.value);
  }
  for (RunRecord& run : report.meshes.front().runs) {
    if (run.error) {
      PositionErrorResult& e = *run.error;
      all.insert(all.end(), {&e.rms, &e.mean, &e.max, &e.rms_relative, &e.max_relative, &e.erms});
      add(e.per_frame.rms), add(e.per_frame.max), add(e.per_frame.p99);
      add(e.per_vertex.rms), add(e.per_vertex.max);
    }
    if (!run.volume) continue;
    if (run.volume->total) all.push_back(&run.volume->total->max_loss);
    for (auto& component : run.volume->components) all.push_back(&component.max_loss);
    for (auto& joint : run.volume->joints) all.push_back(&joint.max_loss), add(joint.loss);
    add(run.volume->volume_m3), add(run.volume->loss);
  }
  for (MetricResult& metric : report.meshes.front().runs.front().metrics) {
    for (MetricField& field : metric.fields) {
      if (double* const number = std::get_if<double>(&field.value)) all.push_back(number);
    }
  }
  return all;
}

void check_pages(const Report& report) {
  const ParsedReport parsed = parse_report(to_json(report), "a.json");
  const ParsedReport direct = parsed_report_of(report, "a.json");
  for (const PageFormat format : {PageFormat::kHtml, PageFormat::kMarkdown, PageFormat::kJunit}) {
    CHECK(to_page(format, {&direct, 1}) == to_page(format, {&parsed, 1}));
  }
}

}  // namespace

TEST_CASE("pages: a report's pages equal those of its JSON, with every section") {
  FullReport full;
  check_pages(full.report);
  full.report.command = "diff";
  full.report.checks.clear();
  check_pages(full.report);
  const ParsedReport direct = parsed_report_of(full.report, "a.json");
  const std::string page = to_page(PageFormat::kHtml, {&direct, 1});
  for (const char* text : {"stretch", "&lt;elbow&gt;", "edge\u00A01\u00A02", "triangle\u00A02",
                           "in_between", "run.glb", "knee", "unknown", "volume.max_loss"}) {
    CHECK_MESSAGE(page.find(text) != std::string::npos, text);
  }
  CHECK(page.find(">odd<") == std::string::npos);
}

TEST_CASE("pages: the name of a pose is beside every worst frame, and escaped") {
  const FullReport full;
  const ParsedReport parsed = parse_report(to_json(full.report), "a.json");
  const std::string html = to_page(PageFormat::kHtml, {&parsed, 1});
  CHECK(html.find("<arms>") == std::string::npos);
  CHECK(html.find("<bdi>&lt;arms&gt; | `up`</bdi>, frame\u00A03, vertex\u00A02") !=
        std::string::npos);
  CHECK(html.find("lost at most, &lt;arms&gt; | `up`, frame 3") != std::string::npos);
  CHECK(html.find("dqs, &lt;arms&gt; | `up`, frame 3") != std::string::npos);
  const std::string markdown = to_page(PageFormat::kMarkdown, {&parsed, 1});
  const std::string code = markdown_code("<arms> | `up`") + ", frame 3";
  std::size_t count = 0;
  for (std::size_t at = 0; (at = markdown.find(code, at)) != std::string::npos; ++at) ++count;
  CHECK(count >= 6);
  CHECK(to_page(PageFormat::kJunit, {&parsed, 1}).find("dqs, &lt;arms&gt; | `up`, frame 3") !=
        std::string::npos);
}

TEST_CASE("pages: a report's pages equal those of its JSON, with every section") {
  FullReport full;
  check_pages(full.report);
  full.report.command = "diff";
  full.report.checks.clear();
  check_pages(full.report);
  const ParsedReport direct = parsed_report_of(full.report, "a.json");
  const std::string page = to_page(PageFormat::kHtml, {&direct, 1});
  for (const char* text : {"stretch", "&lt;elbow&gt;", "edge\u00A01\u00A02", "triangle\u00A02",
                           "in_between", "run.glb", "knee", "unknown", "volume.max_loss"}) {
    CHECK_MESSAGE(page.find(text) != std::string::npos, text);
  }
  CHECK(page.find(">odd<") == std::string::npos);
}

TEST_CASE("pages: the name of a pose is beside every worst frame, and escaped") {
  const FullReport full;
  const ParsedReport parsed = parse_report(to_json(full.report), "a.json");
  const std::string html = to_page(PageFormat::kHtml, {&parsed, 1});
  CHECK(html.find("<arms>") == std::string::npos);
  CHECK(html.find("<bdi>&lt;arms&gt; | `up`</bdi>, frame\u00A03, vertex\u00A02") !=
        std::string::npos);
  CHECK(html.find("lost at most, &lt;arms&gt; | `up`, frame 3") != std::string::npos);
  CHECK(html.find("dqs, &lt;arms&gt; | `up`, frame 3") != std::string::npos);
  const std::string markdown = to_page(PageFormat::kMarkdown, {&parsed, 1});
  const std::string code = markdown_code("<arms> | `up`") + ", frame 3";
  std::size_t count = 0;
  for (std::size_t at = 0; (at = markdown.find(code, at)) != std::string::npos; ++at) ++count;
  CHECK(count >= 6);
  CHECK(to_page(PageFormat::kJunit, {&parsed, 1}).find("dqs, &lt;arms&gt; | `up`, frame 3") !=
        std::string::npos);
}

TEST_CASE("report: the settings that moved the rig are read as they were written") {
  SmallReport example;
  RetargetSettings all;
  all.mode = RetargetMode::kHumanoid;
  all.t_pose = TPoseChoice{TPoseSource::kClip, "walk@1", 0.1};
  all.clip_t_pose = TPoseChoice{TPoseSource::kRest};
  all.root_motion = RootMotion::kInPlace;
  all.mirror = true;
  all.humanoid = "a.json";
  all.clip_humanoid = "b.json";
  all.ranges = "c.json";
  all.pose_fps = 24;
  for (const bool is_full : {true, false}) {
    example.report.settings.retarget = is_full ? all : RetargetSettings{};
    const ParsedReport parsed = parse_report(to_json(example.report), "a.json");
    REQUIRE(parsed.settings.retarget);
    const RetargetSettings& read = *parsed.settings.retarget;
    const RetargetSettings& wanted = *example.report.settings.retarget;
    CHECK((read.mode == wanted.mode));
    CHECK((read.t_pose == wanted.t_pose));
    CHECK((read.clip_t_pose == wanted.clip_t_pose));
    CHECK((read.root_motion == wanted.root_motion));
    CHECK(read.mirror == wanted.mirror);
    CHECK(read.humanoid == wanted.humanoid);
    CHECK(read.clip_humanoid == wanted.clip_humanoid);
    CHECK(read.ranges == wanted.ranges);
    CHECK(read.pose_fps == wanted.pose_fps);
  }
}

TEST_CASE("pages: a report's pages equal those of its JSON, with any numbers") {
  std::mt19937_64 random(20);
  // A report with a distance below 0 is refused.
  const double numbers[] = {kNan, kInfinity, -kInfinity, 1e308, 1e-308, 5e-324, -0.0};
  for (int i = 0; i < 40; ++i) {
    CAPTURE(i);
    FullReport full;
    for (double* number : measured_numbers(full.report)) {
      if (random() % 3 == 0) *number = numbers[random() % std::size(numbers)];
    }
    check_pages(full.report);
  }
}

TEST_CASE("pages: a report's pages equal those of its JSON, with few sections") {
  check_pages(SmallReport().report);
  SmallReport bare;
  bare.report.per_vertex = PerVertex::kNone;
  bare.report.checks.clear();
  bare.report.issues.clear();
  check_pages(bare.report);
  Report empty;
  empty.command = "compare";
  check_pages(empty);
}

TEST_CASE("pages: errors per vertex in NumPy files are on the page of the run itself") {
  SmallReport npy, json;
  npy.report.per_vertex = PerVertex::kNpy;
  const ParsedReport a = parsed_report_of(npy.report, "a.json");
  const ParsedReport b = parsed_report_of(json.report, "a.json");
  CHECK(to_page(PageFormat::kHtml, {&a, 1}) == to_page(PageFormat::kHtml, {&b, 1}));
}

TEST_CASE("report text: numbers have the requested digits and the unit's form") {
  CHECK(short_number(0.0273456) == "0.02735");
  CHECK(short_number(0.0273456, kTerminalDigits) == "0.0273456");
  CHECK(short_number(-0.0) == "0");
  CHECK(with_unit(0.05, Unit::kRatio) == "5 %");
  CHECK(with_unit(0.25, Unit::kMetres) == "0.25 m");
  CHECK(with_unit(0.25, Unit::kCubicMetres) == "0.25 m³");
  CHECK(with_unit(1.5, Unit::kRadians) == "1.5 rad");
  CHECK(with_unit(3.0, "") == "3");
  CHECK(with_unit(kNan, Unit::kMetres) == "not a number");
  CHECK(with_unit(std::nullopt, Unit::kMetres) == "not a number");
}

TEST_CASE("report text: a check names its limit, its value and its place") {
  Check check;
  check.option = "--fail-max";
  check.metric = "error.max";
  check.unit = Unit::kMetres;
  check.limit = 0.01;
  CHECK(limit_text(check) == "--fail-max 0.01 m");
  CHECK(value_text(check) == "not measured");
  CHECK(place_text(check) == "no selected mesh has this measurement");
  check.mesh = "arm";
  check.clip = "bend";
  check.method = "dqs";
  check.frame = 42;
  check.vertex = 7;
  check.value = 0.0273;
  CHECK(value_text(check) == "0.0273 m");
  CHECK(place_text(check) == "mesh 'arm', clip 'bend', dqs, frame 42, vertex 7");
  check.limit = std::numeric_limits<double>::max();
  CHECK(is_finiteness_check(check));
  CHECK(limit_text(check) == "every position is a number");
}

TEST_CASE("report text: a number of frames that no clip has is a count") {
  Check check;
  check.metric = kFramesLeftOut;
  for (const auto& [value, text] : {std::pair{3.0, "3 frames not compared"},
                                    {1e300, "1000000000000000 frames not compared"},
                                    {-1e300, "no frame at the times that only one has"},
                                    {kNan, "no frame at the times that only one has"}}) {
    check.value = value;
    CHECK(value_text(check) == text);
  }
}

TEST_CASE("report text: at most eight methods that exceed a limit are named") {
  const auto quoted = [](std::string_view name) { return "'" + std::string(name) + "'"; };
  Check check;
  check.unit = Unit::kMetres;
  check.failures = 1;
  CHECK(exceeded_text(check, quoted).empty());
  check.failures = 10;
  for (int i = 0; i < 11; ++i) {
    Check method = check;
    method.methods.clear();
    method.method = "m" + std::to_string(i);
    method.value = 1;
    method.passed = i == 0;
    check.methods.push_back(method);
  }
  CHECK(exceeded_text(check, quoted) ==
        "exceeded 10 times, by 'm1' (1 m), 'm2' (1 m), 'm3' (1 m), 'm4' (1 m), 'm5' (1 m), "
        "'m6' (1 m), 'm7' (1 m), 'm8' (1 m) and 2 more");
}

TEST_CASE("page format: the extension selects it, in any case of letters") {
  CHECK(page_format_of("a.html") == PageFormat::kHtml);
  CHECK(page_format_of("A.HTM") == PageFormat::kHtml);
  CHECK(page_format_of("a.Markdown") == PageFormat::kMarkdown);
  CHECK(page_format_of(".XML") == PageFormat::kJunit);
  CHECK_FALSE(page_format_of("a.json"));
  CHECK_FALSE(page_format_of("l"));
}

}  // namespace skinbake
