// The tables of the HTML page.

#pragma once

#include <span>
#include <string>

#include "skinbake/report_view.h"

namespace skinbake {

std::string checks_table(std::span<const ReportView> reports);  // empty without thresholds
std::string runs_table(std::span<const ReportView> reports);
std::string other_numbers_table(std::span<const ReportView> reports);  // folded
std::string issues_table(std::span<const ReportView> reports);
std::string inputs_table(std::span<const ReportView> reports);

// What was asked for beside measurements; empty: it was not.
std::string recommendations(std::span<const ReportView> reports);
std::string explanations_table(std::span<const ReportView> reports);
std::string changes_table(std::span<const ReportView> reports);
std::string verification_table(std::span<const ReportView> reports);

}  // namespace skinbake
