// The results of the thresholds as text.

#pragma once

#include <string>

#include "report/report.h"

namespace skinbake::cli {

// "error.max at most 0.01 m exceeded 3 times, by dqs (0.0273 m), cor (0.011 m); worst: 0.0273 m in
// mesh 'arm', clip 'bend', dqs, frame 42".
std::string text_of(const Check& check);

// A line for each threshold that was kept, with the measured value.
std::string passed_text(const Report& report);

// Prints the thresholds that were exceeded, as errors and warnings.
void log_checks(const Report& report);

}  // namespace skinbake::cli
