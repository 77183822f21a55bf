// The numbers that differ between newer and older reports, as `report --against` shows them.

#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/fields.h"
#include "report/read_report.h"

namespace skinbake {

// The largest difference of two numbers that is within the tolerance: absolute, or relative to the
// larger number.
struct Tolerance {
  double value = 0;
  bool relative = false;
};

struct Tolerances {
  std::string text;                     // as they were written; empty: numbers may change
  std::optional<Tolerance> all;         // of keys that `of` does not have; none: they may change
  std::map<std::string, Tolerance> of;  // by key: "error.max"
};

struct ReportChange {
  std::size_t report = 0;  // index of the newer one
  std::string mesh, clip, method;
  std::string key;   // "error.max"
  std::string part;  // the joint; empty: of the whole mesh
  Field field;
  std::optional<double> before, after;  // none: not measured
  bool is_beyond = false;               // the tolerance

  bool is_worse() const;
  bool is_better() const;
  double relative() const;  // to the larger of both; 1: only one was measured
};

// A mesh, clip and method that only one side has.
struct UnpairedRun {
  std::size_t report = 0;  // of its side
  std::string mesh, clip, method;
};

struct ReportChanges {
  std::string tolerance;              // Tolerances::text
  std::size_t compared = 0;           // numbers
  std::vector<ReportChange> changes;  // those beyond the tolerance and the worse ones first
  std::vector<UnpairedRun> only_after, only_before;

  // Whether a tolerance is exceeded, or a run is unpaired although there are tolerances.
  bool is_beyond() const;
};

// Pairs the runs by mesh, clip and method, and, if a side has several rigs, by the rig's name.
// Throws Error: kNotComparable (NOT_COMPARABLE) if no runs pair, or if their references or frame
// rates differ, or if a mesh and clip has no method in common; kUsage (METRIC_UNKNOWN) if no report
// has the key of a tolerance.
ReportChanges changes_between(std::span<const NamedReport> after,
                              std::span<const NamedReport> before, const Tolerances& tolerances);

// Adds the changes to the documents of the newer reports, as the member `changes`, for their pages.
void add_changes(const ReportChanges& changes, std::span<NamedReport> after);

}  // namespace skinbake
