// Ranges of muscles that users write.

#include <doctest/doctest.h>

#include <string>

#include "skinbake/gltf.h"
#include "support/temporary_folder.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

MuscleRangesFile loaded(const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder / "ranges.json", text);
  return load_muscle_ranges(folder / "ranges.json");
}

void check_error(const std::string& text, const std::string& part, const std::string& pointer) {
  CAPTURE(text);
  try {
    loaded(text);
    FAIL_CHECK("was accepted");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInput);
    CHECK(error.code() == "MUSCLE_RANGES_INVALID");
    CHECK_MESSAGE(std::string(error.what()).find(part) != std::string::npos, error.what());
    CHECK(error.location().pointer == pointer);
  }
}

}  // namespace

TEST_CASE("muscle ranges: names have two angles") {
  const MuscleRangesFile file =
      loaded(R"({"leftForearmTwist": [-45, 30.5], "jawClose": [0, 0], "headTwist": [-180, 180]})");
  CHECK(file.ranges.size() == 3);
  CHECK(file.ranges.at("leftForearmTwist").min_deg == -45);
  CHECK(file.ranges.at("leftForearmTwist").max_deg == 30.5);
  CHECK(file.input.role == "parameters");
  CHECK(loaded("{}").ranges.empty());
}

TEST_CASE("muscle ranges: errors name the muscle, its place in the file and the remedy") {
  const std::string twist = "/leftForearmTwist";
  const auto with = [](const std::string& value) {
    return R"({"leftForearmTwist": )" + value + "}";
  };
  check_error(R"({"elbow/left": [-1, 1]})", "muscle 'elbow/left' does not exist", "/elbow~1left");
  check_error(R"({"": [-1, 1]})", "does not exist", "/");
  check_error(with("90"), "is not a list of two angles", twist);
  check_error(with("[-90]"), "is not a list of two angles", twist);
  check_error(with("[-90, 0, 90]"), "is not a list of two angles", twist);
  check_error(with(R"(["-90", 90])"), "not a number from -180 to 180", twist);
  check_error(with("[null, 90]"), "not a number from -180 to 180", twist);
  check_error(with("[-181, 90]"), "not a number from -180 to 180", twist);
  check_error(with("[-90, 1e300]"), "not a number from -180 to 180", twist);
  check_error(with("[90, -90]"), "has a least angle above its greatest", twist);
  check_error(with("[10, 90]"), "range without 0", twist);
  check_error(with("[-90, -10]"), "range without 0", twist);
  check_error(with("[-90, 1e999]"), "cannot be parsed", "");
  check_error(with("[-90, NaN]"), "cannot be parsed", "");
  check_error("[]", "is not an object", "");
  check_error("", "cannot be parsed", "");
}
