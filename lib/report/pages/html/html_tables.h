// The tables of the HTML page. Each function returns an empty string if the table would be empty.

#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "report/read/parsed_report.h"

namespace skinbake {

std::string checks_table(std::span<const ParsedReport> reports);
std::string surfaces_table(std::span<const ParsedReport> reports);
std::string other_numbers_table(std::span<const ParsedReport> reports);  // collapsed
std::string issues_table(std::span<const ParsedReport> reports);
std::string inputs_table(std::span<const ParsedReport> reports);
std::string recommendation_tables(std::span<const ParsedReport> reports);
std::string explanations_table(std::span<const ParsedReport> reports);
std::string changes_table(std::span<const ParsedReport> reports);
std::string fit_table(std::span<const ParsedReport> reports);  // with its sentences
std::string verification_table(std::span<const ParsedReport> reports);

}  // namespace skinbake
