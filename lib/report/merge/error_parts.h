// The section `error` of a run, from the sections of its parts.

#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "json/json_cursor.h"
#include "metrics/position_error/error_totals.h"

namespace skinbake {

class ErrorParts {
 public:
  explicit ErrorParts(std::int64_t vertices) : vertices_(vertices) {}

  // Adds the sums of the next part. Throws Error (kInput): PART_INVALID without sums,
  // REPORT_INVALID.
  void add(const std::string& path, const nlohmann::json& section, std::int64_t frames);

  // Replaces what depends on sums, and removes these. `section` has the merged extremes and series.
  void finish(nlohmann::json& section, double diagonal_m) const;

 private:
  void add_vertices(const JsonCursor& sums, std::int64_t frames);
  void add_worst(const std::string& path, const nlohmann::json& section);
  nlohmann::json worst_vertices() const;
  void write_vertices(nlohmann::json& per_vertex) const;

  std::int64_t vertices_;
  std::int64_t frames_ = 0;
  ErrorTotals totals_;
  std::vector<DigitSum> squares_;                 // [vertex]
  std::vector<double> max_;                       // [vertex]
  std::vector<std::int64_t> max_frame_;           // [vertex] frame number
  std::map<std::int64_t, nlohmann::json> worst_;  // entries of worst_vertices, by vertex
};

}  // namespace skinbake
