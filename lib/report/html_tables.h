// The tables of the HTML page.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "skinbake/report_view.h"

namespace skinbake {

std::string checks_table(std::span<const ReportView> reports);  // empty without thresholds
std::string runs_table(std::span<const ReportView> reports);
std::string issues_table(std::span<const ReportView> reports);
std::string inputs_table(std::span<const ReportView> reports);

// The word that stands for a report beside its runs: "A", "B", …, "Z", "27"; empty for the only
// one.
std::string letter_of(std::size_t report, std::size_t count);

// <span class="verdict fail">fail</span>
std::string verdict_badge(std::string_view verdict);

}  // namespace skinbake
