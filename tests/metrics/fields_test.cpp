#include <doctest/doctest.h>

#include <cmath>
#include <limits>
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

TEST_CASE("metric fields: a number is found by its path, and its place beside it") {
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
