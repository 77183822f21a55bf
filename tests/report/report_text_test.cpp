// Texts that pages share with the terminal.

#include <doctest/doctest.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "report/report_text.h"
#include "report/surface_report.h"

namespace skinbake {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("report text: numbers have the requested digits and the unit's form") {
  CHECK(short_number(0.0273456) == "0.02735");
  CHECK(short_number(0.0273456, kTerminalDigits) == "0.0273456");
  CHECK(short_number(-0.0) == "0");
  CHECK(with_unit(0.05, Unit::kRatio) == "5 %");
  CHECK(with_unit(0.25, Unit::kMetres) == "0.25 m");
  CHECK(with_unit(0.25, Unit::kCubicMetres) == "0.25 m³");
  CHECK(with_unit(1.5, Unit::kRadians) == "1.5 rad");
  CHECK(with_unit(3.0, "") == "3");
  CHECK(with_unit(kNotANumber, Unit::kMetres) == "not a number");
  CHECK(with_unit(std::nullopt, Unit::kMetres) == "not a number");
}

TEST_CASE("report text: a check names its limit, its value and its place") {
  Check check;
  check.key = "error.max";
  check.unit = Unit::kMetres;
  check.limit = 0.01;
  CHECK(limit_text(check) == "error.max at most 0.01 m");
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
}

TEST_CASE("report text: a number of frames that no clip has is a count") {
  Check check;
  check.key = kFramesLeftOut;
  for (const auto& [value, text] : {std::pair{3.0, "3 frames not compared"},
                                    {1e300, "1000000000000000 frames not compared"},
                                    {-1e300, "no frame at the times that only one has"},
                                    {kNotANumber, "no frame at the times that only one has"}}) {
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

}  // namespace
}  // namespace skinbake
