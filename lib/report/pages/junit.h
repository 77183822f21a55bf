// JUnit XML for build servers, of reports and of batches.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skinbake {

struct JunitCase {
  enum class Kind { kPassed, kFailed, kError, kSkipped };

  std::string name;
  std::string text;  // the measured value, and where
  Kind kind = Kind::kPassed;
  std::string message = {};  // of a failure or an error; empty: `text`
};

struct JunitSuite {
  std::string name;
  std::vector<JunitCase> cases;
  std::vector<std::pair<std::string, std::string>> properties = {};
};

// Cases do not have times, because reports do not.
std::string junit_xml(std::string_view name, std::span<const JunitSuite> suites);

}  // namespace skinbake
