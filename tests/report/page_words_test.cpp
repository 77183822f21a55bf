// What an HTML page draws, in which order, and with which words: charts, cards of the worst places,
// numbers, long names and long tables.

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "report/pages/numbers.h"
#include "report/read/parsed_report.h"
#include "report/report_text.h"
#include "report/small_report.h"

namespace skinbake {
namespace {

using test::SmallReport;

std::string page_of(const ParsedReport& report) {
  return to_page(PageFormat::kHtml, {&report, 1});
}

std::size_t count_of(const std::string& page, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = page.find(text, at)) != std::string::npos; at += text.size())
    ++count;
  return count;
}

ParsedReport small() {
  const SmallReport example;
  return parsed_report_of(example.report, "a.json");
}

// Two methods: in frame 3, where "dqs" loses most at the joint, "lbs" loses less than in frame 1.
ParsedReport two_methods() {
  ParsedReport report = small();
  ParsedMesh& mesh = report.meshes.front();
  mesh.runs.push_back(mesh.runs.front());
  mesh.runs.back().method = "lbs";
  ParsedJoint& dqs = mesh.runs.front().joints.front();
  ParsedJoint& lbs = mesh.runs.back().joints.front();
  dqs.name = lbs.name = "elbow";
  dqs.max_loss = 0.25;
  dqs.max_loss_at->frame = 3;
  dqs.loss = {0, 0.25};
  lbs.max_loss = 0.243;
  lbs.max_loss_at->frame = 1;
  lbs.loss = {0.243, 0.0625};
  return report;
}

TEST_CASE("pages: numbers are as people write them") {
  const auto text = [](double value) {
    std::string shown = read_number(value);
    for (std::size_t at; (at = shown.find("\u202F")) != std::string::npos;)
      shown.replace(at, 3, "_");
    return shown;
  };
  CHECK(text(0) == "0");
  CHECK(text(0.000123) == "0.000123");
  CHECK(text(4.4712) == "4.47");
  CHECK(text(-27.34) == "-27.3");
  CHECK(text(999.6) == "1000");
  CHECK(text(1234) == "1230");
  CHECK(text(10'900) == "10_900");
  CHECK(text(-32'211) == "-32_200");
  CHECK(text(123'456'789) == "123_000_000");
  CHECK(text(1e12) == "1_×_10¹²");
  CHECK(text(1.0949e12) == "1.09_×_10¹²");
  CHECK(text(0.0000125) == "1.25_×_10⁻⁵");
  CHECK(text(std::numeric_limits<double>::max()) == "1.8_×_10³⁰⁸");
  CHECK(text(std::numeric_limits<double>::infinity()) == "above 10³⁰⁸");
  CHECK(text(-std::numeric_limits<double>::infinity()) == "below -10³⁰⁸");
  CHECK(read_with_unit(1e308, "1") == "above 10³⁰⁸ %");
  CHECK(with_unit(1e308, "1") == "above 1e+308 %");
  CHECK(with_unit(-1e308, "1") == "below -1e+308 %");
  CHECK(read_with_unit(0.05, "1") == "5 %");
  CHECK(read_with_unit(12, "mm") == "12 mm");
}

TEST_CASE("pages: a card has what each method loses in its frame, and at worst in the clip") {
  const std::string page = page_of(two_methods());
  const std::size_t card = page.find("volume lost at <bdi>elbow</bdi>");
  REQUIRE(card != std::string::npos);
  const std::string text = page.substr(card, page.find("</button>", card) - card);
  CHECK(text.find("in this frame, and at worst in the clip") != std::string::npos);
  CHECK(text.find("<bdi>lbs</bdi> 6.25 %") != std::string::npos);
  CHECK(text.find("worst 24.3 %") != std::string::npos);
  CHECK(text.find("worst 25 %") != std::string::npos);
}

TEST_CASE("pages: a chart of a mean over triangles says so, and a card names the largest") {
  ParsedReport report = small();
  ParsedSection distortion{
      "triangle_distortion", "", {{"worst", 10'900.0, ParsedPlace{3, "triangle 1", ""}}}, {}};
  distortion.per_frame = {{"symmetric_dirichlet", {4, 5}}};
  report.meshes.front().runs.front().sections.push_back(distortion);
  const std::string page = page_of(report);
  CHECK(page.find("<figcaption>Mean distortion of triangles, by their areas") != std::string::npos);
  CHECK(page.find("<span class=\"amount\">10\u202F900</span> <span class=\"what\">largest "
                  "distortion of a triangle") != std::string::npos);
}

TEST_CASE("pages: a chart of one frame has a few times, however far the frame is") {
  ParsedReport report = small();
  ParsedRun& run = report.meshes.front().runs.front();
  run.joints.clear();
  run.frames.frame_count = 1;
  for (ParsedSection& section : run.sections) {
    for (ParsedSeries& series : section.per_frame) series.values = {0.5};
  }
  // The times are 0, 8e15 s, where 1 s is a rounding error, 1e17 s and 1e27 s.
  for (const auto& time : {std::pair<std::int64_t, double>{0, 30},
                           {1'000'000'000'000, 1.25e-4},
                           {1'000'000'000'000, 1e-5},
                           {-1'000'000'000'000, 1e-15}}) {
    CAPTURE(time.second);
    run.frames.first_frame = time.first;
    run.frames.fps = time.second;
    const std::string page = page_of(report);
    const std::size_t charts = count_of(page, "<svg class=\"chart\"");
    const std::size_t times = count_of(page, "class=\"below\"");
    REQUIRE(charts > 0);
    CHECK(times >= 2 * charts);
    CHECK(times <= 6 * charts);
  }
}

TEST_CASE("pages: bodies are drawn before meshes, and props last") {
  ParsedReport report = small();
  ParsedMesh prop = report.meshes.front();
  prop.id = "Sword";
  prop.follows_joint = "hand";
  for (ParsedSection& section : prop.runs.front().sections) {
    for (ParsedNumber& number : section.numbers) number.value = 1;  // worse than the mesh
  }
  report.bodies = {report.meshes.front()};
  report.bodies.front().id = "hips";
  report.meshes.insert(report.meshes.begin(), prop);
  const std::string page = page_of(report);
  const std::size_t drawings = page.find("<h2>Over time</h2>");
  const std::size_t body = page.find("<h3>body <bdi>hips</bdi>, clip", drawings);
  const std::size_t mesh = page.find("<h3>mesh <bdi>Body</bdi>, clip", drawings);
  const std::size_t sword = page.find("<h3>mesh <bdi>Sword</bdi>, clip", drawings);
  REQUIRE(std::max({body, mesh, sword}) < page.size());
  CHECK(body < mesh);
  CHECK(mesh < sword);
  CHECK(page.find("<figcaption>Volume loss</figcaption>", body) < mesh);
}

TEST_CASE("pages: a heat map has the values of its cells") {
  const std::string page = page_of(two_methods());
  CHECK(page.find("<g data-joint=\"elbow\" data-loss=\"0 1000\">") != std::string::npos);
  CHECK(page.find("<g data-joint=\"elbow\" data-loss=\"972 250\">") != std::string::npos);
  CHECK(page.find("data-frames=\"2 1 2\" data-full=\"0.25\"") != std::string::npos);
}

TEST_CASE("pages: a name of a million characters does not widen a page") {
  const std::string name(1'000'000, 'x');
  ParsedReport report = two_methods();
  report.name = report.inputs.front().path = name;
  report.issues.front().message = name;
  report.checks.front().mesh = report.checks.front().clip = name;
  report.bodies = report.meshes;
  for (ParsedMesh& mesh : report.meshes) {
    mesh.id = name;
    for (ParsedRun& run : mesh.runs) {
      run.clip = run.method = run.reference = name;
      for (ParsedJoint& joint : run.joints) joint.name = name;
    }
  }
  const std::string page = page_of(report), empty = page_of(small());
  CHECK(page.size() < empty.size() + 100'000);
  CHECK(page.find(">" + std::string(500, 'x')) == std::string::npos);
  CHECK(page.find(std::string(400, 'x') + "…</bdi>") != std::string::npos);
  CHECK(page.find(std::string(1100, 'x')) == std::string::npos);
}

TEST_CASE("pages: a long table is folded after what failed") {
  ParsedReport report = small();
  Check check = report.checks.front();
  check.passed = true;
  report.checks.assign(1140, check);
  report.checks.back().passed = false;
  report.checks.back().clip = "the last";
  const std::string page = page_of(report);
  const std::size_t fold = page.find("<summary>1116 more rows</summary>");
  REQUIRE(fold != std::string::npos);
  CHECK(page.find("the last") < fold);
  CHECK(count_of(page.substr(0, fold), "--fail-volume-loss") == 24);
  CHECK(count_of(page, "<code>--fail-volume-loss") == 1140);
}

TEST_CASE("pages: a page leads back to its overview") {
  const ParsedReport report = small();
  const std::string page = to_page(PageFormat::kHtml, {&report, 1}, nullptr, "a&b.html");
  CHECK(page.find("<nav><a href=\"a&amp;b.html\">← all characters</a></nav>") != std::string::npos);
  CHECK(page_of(report).find("<nav>") == std::string::npos);
}

}  // namespace
}  // namespace skinbake
