#include <doctest/doctest.h>

#include <string>

#include "skinbake/error.h"
#include "skinbake/methods.h"

namespace skinbake {
namespace {

std::string error_of(std::string_view text) {
  try {
    parse_method(text);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kUsage);
    return error.code() + ": " + error.what();
  }
  return "";
}

bool says(const std::string& error, std::string_view part) {
  return error.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE(
    "parameters: the canonical name lists parameters not at their defaults, in the table's order") {
  CHECK(parse_method("dqs").canonical() == "dqs");
  CHECK(parse_method("dqs:sign=max-weight,scale=joint,bulge-free=0").canonical() == "dqs");
  CHECK(parse_method("dqs:scale=origin,sign=temporal").canonical() ==
        "dqs:sign=temporal,scale=origin");
  CHECK(parse_method("jst:beta=0.50").canonical() == "jst:beta=0.5");
  CHECK(parse_method("jst:beta=0").canonical() == "jst");
}

TEST_CASE("parameters: parsing a canonical name gives the same method") {
  for (const char* name :
       {"dqs:sign=first,bulge-free=1", "lmb:ref=max-weight,plain=1", "jst:beta=1"}) {
    CHECK(parse_method(name).canonical() == name);
    CHECK(parse_method(parse_method(name).canonical()).values == parse_method(name).values);
  }
}

TEST_CASE("parameters: the value of a word is its index, or the number that it spells") {
  CHECK(parse_method("dqs:sign=temporal,bulge-free=1").values == std::vector<double>{2, 0, 1});
  CHECK(parse_method("jst:beta=0.25").values == std::vector<double>{0.25});
  CHECK(parse_method("lbs").values.empty());
}

TEST_CASE("parameters: the error for an unknown name lists the known ones") {
  const std::string unknown = error_of("dqs:sgin=first");
  CHECK(says(unknown, "METHOD_PARAMETER_UNKNOWN"));
  CHECK(says(unknown, "'sgin'"));
  CHECK(says(unknown, "sign (max-weight|first|temporal)"));
  CHECK(says(error_of("lbs:sign=first"), "takes no parameters"));
  CHECK(says(error_of("qds:sign=first"), "METHOD_UNKNOWN"));
}

TEST_CASE("parameters: the error for a value out of range names the range") {
  for (const char* wrong :
       {"dqs:sign=last",    "dqs:sign",          "dqs:sign=",         "jst:beta=1.5",
        "jst:beta=-0.1",    "jst:beta=nan",      "jst:beta=inf",      "jst:beta=0.5x",
        "jst:beta=",        "dqs:bulge-free=2",  "jst:beta=0,beta=1", "ddm:lambda=1e30",
        "ddm:lambda=1e300", "ddm:lambda=5e-324", "ddm:kappa=1e6",     "cor:sigma=1e300",
        "cor:sigma=5e-324", "cor:epsilon=0",     "dm:step=0",         "dm:step=1e30"}) {
    CAPTURE(std::string(wrong));
    CHECK(says(error_of(wrong), "METHOD_PARAMETER_INVALID"));
  }
  CHECK(says(error_of("dqs:sign=last"), "max-weight|first|temporal"));
  CHECK(says(error_of("jst:beta=2"), "from 0 to 1"));
  CHECK(says(error_of("ddm:lambda=1e30"), "lambda= and auto or a number above 0 to 1e+06"));
  CHECK(says(error_of("dqs:"), "METHOD_PARAMETER_UNKNOWN"));
  CHECK(says(error_of("dqs:sign=first,"), "METHOD_PARAMETER_UNKNOWN"));
}

TEST_CASE("parameters: parameters change a method's properties") {
  CHECK((parse_method("dqs").keeps() & kKeepsOrigin) != 0);
  CHECK((parse_method("dqs:scale=origin").keeps() & kKeepsOrigin) == 0);
  CHECK((parse_method("dqs").keeps() & kKeepsHalfTurns) == 0);
  CHECK((parse_method("dqs:sign=temporal").keeps() & kKeepsHalfTurns) != 0);
  CHECK((parse_method("dqs:sign=temporal").keeps() & kKeepsZeroScales) == 0);
  CHECK((parse_method("ddm").keeps() & kContinuity) == 0);
  CHECK((parse_method("ddm:variant=5").keeps() & kContinuity) == kContinuity);
  CHECK((parse_method("dm:iterations=0").keeps() & kContinuity) == kContinuity);
  CHECK((parse_method("dm:iterations=0,base=dqs").keeps() & kContinuity) == 0);
  CHECK((parse_method("dm:iterations=0,base=sbs-core").keeps() & kKeepsOneMap) == 0);
}

TEST_CASE("parameters: every default is in its own range") {
  for (const MethodInfo& info : methods()) {
    for (const MethodParameter& parameter : info.parameters) {
      CAPTURE(std::string(parameter.name));
      const std::string text =
          std::string(info.id) + ":" + std::string(parameter.name) + "=" + default_of(parameter);
      CHECK(parse_method(text).canonical() == info.id);
      CHECK_FALSE(parameter.help.empty());
    }
  }
}

}  // namespace skinbake
