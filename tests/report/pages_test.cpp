// What pages show of a document: charts, cards of the worst places, tables, long names. Sections
// are found by their form, also those of a metric that is not known.

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "report/document.h"
#include "report/pages/pages.h"
#include "report/pages/runs.h"
#include "report/pages/words.h"
#include "report/report_text.h"
#include "report/small_report.h"

namespace skinbake {
namespace {

using test::SmallReport;

NamedReport small() {
  const SmallReport example;
  return {"a.json", document_of(example.report)};
}

std::string page_of(const NamedReport& report) {
  return to_page(ReportForm::kHtml, {&report, 1});
}

std::size_t count_of(const std::string& page, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = page.find(text, at)) != std::string::npos; at += text.size())
    ++count;
  return count;
}

Json& run_of(NamedReport& report, std::size_t run = 0) {
  return report.document["meshes"][0]["runs"][run];
}

// Two methods: in frame 3, where "dqs" loses most at the joint, "lbs" loses less than in frame 1.
NamedReport two_methods() {
  NamedReport report = small();
  Json& runs = report.document["meshes"][0]["runs"];
  runs.push_back(Json(runs[0]));
  runs[1]["method"] = "lbs";
  runs[1]["error"]["reference"] = "exact";
  Json& dqs = runs[0]["volume"]["joints"][0];
  Json& lbs = runs[1]["volume"]["joints"][0];
  dqs["joint"] = lbs["joint"] = "elbow";
  dqs["max_loss"] = 0.25;
  dqs["max_loss_at"]["frame"] = 3;
  dqs["per_frame"]["loss"] = {0, 0.25};
  lbs["max_loss"] = 0.243;
  lbs["max_loss_at"]["frame"] = 2;
  lbs["per_frame"]["loss"] = {0.243, 0.0625};
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
  const std::size_t card = page.find("volume: joints max loss at <bdi>elbow</bdi>");
  REQUIRE(card != std::string::npos);
  const std::string text = page.substr(card, page.find("</button>", card) - card);
  CHECK(text.find("in this frame, and at worst in the clip") != std::string::npos);
  CHECK(text.find("<bdi>lbs</bdi> 6.25 %") != std::string::npos);
  CHECK(text.find("worst 24.3 %") != std::string::npos);
  CHECK(text.find("worst 25 %") != std::string::npos);
}

TEST_CASE("pages: a metric that is not known has its numbers, its curves and its worst place") {
  NamedReport report = small();
  run_of(report)["jitter"] = Json::parse(
      R"({"unit": "m", "worst": 2.5, "worst_at": {"frame": 3, "time_s": 0.1, "triangle": 4},
          "inner": {"mean": 0.125}, "per_frame": {"shake": [0.5, 2.5], "shake_vertex": [0, 1]}})");
  const std::string page = page_of(report);
  CHECK(page.find("<span class=\"amount\">2.5 m</span> <span class=\"what\">jitter: worst at "
                  "<bdi>triangle 4</bdi>") != std::string::npos);
  CHECK(page.find("<figcaption>jitter: shake</figcaption>") != std::string::npos);
  CHECK(page.find("jitter: shake vertex") == std::string::npos);
  CHECK(page.find("<th scope=\"col\">jitter: worst</th>") != std::string::npos);
  CHECK(page.find("<th scope=\"col\">inner.mean</th>") != std::string::npos);
  const std::string markdown = to_page(ReportForm::kMarkdown, {&report, 1});
  CHECK(markdown.find("- jitter: worst: **2.5 m**, `frame 3, triangle 4`") != std::string::npos);
}

TEST_CASE("pages: a run that is its own reference has no error") {
  NamedReport report = small();
  run_of(report)["error"]["reference"] = "dqs";
  const std::string page = page_of(report);
  CHECK(page.find("<figcaption>error: max") == std::string::npos);
  CHECK(page.find("<td class=\"number\">reference</td>") != std::string::npos);
}

TEST_CASE("pages: bodies and meshes are drawn, the worst first, and props last") {
  NamedReport report = small();
  Json prop = report.document["meshes"][0];
  prop["id"] = "Sword";
  prop["follows_joint"] = "hand";
  prop["runs"][0]["error"]["max"] = 1;  // worse than the mesh
  Json body = report.document["meshes"][0];
  body["id"] = "hips";
  report.document["bodies"] = Json::array({body});
  report.document["meshes"].insert(report.document["meshes"].begin(), prop);
  const std::string page = page_of(report);
  const std::size_t drawings = page.find("<h2>Over time</h2>");
  const std::size_t of_body = page.find("<h3><bdi>body &#39;hips&#39;, clip", drawings);
  const std::size_t of_mesh = page.find("<h3><bdi>mesh &#39;Body&#39;, clip", drawings);
  const std::size_t of_prop = page.find("<h3><bdi>mesh &#39;Sword&#39;, clip", drawings);
  REQUIRE(std::max({of_body, of_mesh, of_prop}) < page.size());
  CHECK(of_body < of_mesh);
  CHECK(of_mesh < of_prop);
}

TEST_CASE("pages: a heat map has the values of its cells") {
  const std::string page = page_of(two_methods());
  CHECK(page.find("<g data-joint=\"elbow\" data-values=\"0 1000\">") != std::string::npos);
  CHECK(page.find("<g data-joint=\"elbow\" data-values=\"972 250\">") != std::string::npos);
  CHECK(page.find("data-frames=\"2 1 2\" data-full=\"0.25\"") != std::string::npos);
}

TEST_CASE("pages: names are escaped, and one of a million characters does not widen a page") {
  const std::string name = "<b>" + std::string(1'000'000, 'x');
  NamedReport report = two_methods();
  report.name = name;
  report.document["inputs"][0]["path"] = name;
  report.document["issues"][0]["message"] = name;
  report.document["verdict"]["checks"][0]["mesh"] = name;
  for (Json& mesh : report.document["meshes"]) {
    mesh["id"] = name;
    for (Json& run : mesh["runs"]) {
      run["clip"] = run["method"] = run["error"]["reference"] = name;
      run["volume"]["joints"][0]["joint"] = name;
    }
  }
  const std::string page = page_of(report), usual = page_of(small());
  CHECK(page.find("<b>") == std::string::npos);
  CHECK(page.size() < usual.size() + 100'000);
  CHECK(page.find(std::string(1100, 'x')) == std::string::npos);
  CHECK(to_page(ReportForm::kMarkdown, {&report, 1}).size() <= kMostMarkdown);
}

TEST_CASE("pages: a place keeps a number beside its word, and a name keeps its spaces") {
  NamedReport report = two_methods();
  for (Json& run : report.document["meshes"][0]["runs"]) run["clip"] = "key frame 30";
  const std::string page = page_of(report);
  CHECK(page.find("<td><bdi>elbow, frame\u00a03</bdi></td>") != std::string::npos);
  CHECK(page.find("<td><bdi>key frame 30</bdi></td>") != std::string::npos);
}

TEST_CASE("pages: a table takes the focus, by which the keyboard scrolls it, and has its caption") {
  const std::string page = page_of(two_methods());
  CHECK(count_of(page, "<div class=\"table\" tabindex=\"0\"") == count_of(page, "<table"));
  const std::string caption = "Every method, the worst mesh and clip first";
  CHECK(count_of(page, " role=\"region\" aria-label=\"" + caption + "\"") == 1);
  CHECK(count_of(page, " aria-label=\"\"") == 0);
}

TEST_CASE("pages: a long table is folded after what failed") {
  NamedReport report = small();
  Json check = report.document["verdict"]["checks"][0];
  Json& checks = report.document["verdict"]["checks"] = Json::array();
  check["passed"] = true;
  for (int i = 0; i < 1140; ++i) checks.push_back(check);
  checks.back()["passed"] = false;
  checks.back()["clip"] = "the last";
  const std::string page = page_of(report);
  const std::size_t fold = page.find("<summary>1116 more rows</summary>");
  REQUIRE(fold != std::string::npos);
  CHECK(page.find("the last") < fold);
  CHECK(count_of(page, "<code>volume.max_loss") == 1140);
}

TEST_CASE("pages: a document without meshes has pages") {
  NamedReport report{"a.json", Json::parse(R"({"command": "compare", "meshes": []})")};
  for (const ReportForm form : {ReportForm::kHtml, ReportForm::kMarkdown, ReportForm::kJunit}) {
    CHECK(!to_page(form, {&report, 1}).empty());
  }
}

TEST_CASE("pages: a page leads back to its overview") {
  const NamedReport report = small();
  const std::string page = to_page(ReportForm::kHtml, {&report, 1}, nullptr, "a&b.html");
  CHECK(page.find("<nav><a href=\"a&amp;b.html\">← all characters</a></nav>") != std::string::npos);
  CHECK(page_of(report).find("<nav>") == std::string::npos);
}

TEST_CASE("overview: a character has the worst of its meshes, and links to its pages") {
  const NamedReport report = two_methods();
  const std::string link = "a.html", view = "../hero 3d.html";
  const std::string page = to_overview({{&report, 1}, {&link, 1}, {&view, 1}, {}, {&report, 1}});
  CHECK(page.find("<a href=\"a.html\"><bdi>hero</bdi></a>") != std::string::npos);
  CHECK(page.find("<a href=\"../hero 3d.html\">") != std::string::npos);
  CHECK(page.find("\"volume: joints max loss\",\"%\"") != std::string::npos);
  CHECK(page.find("elbow of Body") != std::string::npos);
}

}  // namespace
}  // namespace skinbake
