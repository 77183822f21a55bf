#include <doctest/doctest.h>

#include <set>
#include <string>

#include "skinbake/metrics.h"

namespace skinbake {

TEST_CASE("metric fields: every metric names its headline, and every path is unique") {
  std::set<std::string> paths;
  for (const MetricInfo& metric : metrics()) {
    CHECK_FALSE(metric.fields.empty());
    for (const MetricField& field : metric.fields) {
      const std::string path = std::string(metric.id) + "." + std::string(field.key);
      CHECK(paths.insert(path).second);
      REQUIRE(metric_field(path));
      CHECK((metric_field(path)->unit == field.unit));
    }
  }
  CHECK_FALSE(metric_field("error"));
  CHECK_FALSE(metric_field("error."));
  CHECK_FALSE(metric_field("beauty.max"));
}

}  // namespace skinbake
