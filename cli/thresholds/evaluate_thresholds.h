// Thresholds that are evaluated, and their text.

#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "skinbake/error.h"
#include "thresholds/thresholds.h"

namespace skinbake::cli {

// ---- Compares the measurements of a report with the thresholds.

// Compares one threshold with every run of the report that it applies to. `given`: all thresholds,
// one of which may replace it for a method. Adds to `issues`, unless it is null, the meshes that do
// not have the number.
Check evaluate_threshold(const Threshold& threshold, const Report& report,
                         const std::vector<Threshold>& given = {}, Issues* issues = nullptr);

// Compares every threshold with every run. Appends the checks and the issues of meshes that do not
// have a number to the report.
void evaluate_thresholds(const Thresholds& thresholds, Report& report);

// Whether there is a warning: an issue above informational, or an exceeded limit of --warn-….
bool has_warnings(const Issues& issues, const std::vector<Check>& checks = {});

// Returns 1 and prints an error if `strict` and there is a warning; else returns 0.
int strict_exit_code(bool strict, const Issues& issues, const std::vector<Check>& checks = {});

// ---- The results of the thresholds as text.

// "error.max at most 0.01 m exceeded 3 times, by dqs (0.0273 m), cor (0.011 m); worst: 0.0273 m in
// mesh 'arm', clip 'bend', dqs, frame 42".
std::string text_of(const Check& check);

// A line for each threshold that was kept, with the measured value.
std::string passed_text(const Report& report);

// Prints the thresholds that were exceeded, as errors and warnings.
void log_checks(const Report& report);

}  // namespace skinbake::cli
