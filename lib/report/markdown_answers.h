// What was asked for beside measurements, in Markdown: behind a click each. Empty: it was not asked
// for.

#pragma once

#include <string>

#include "skinbake/report_view.h"

namespace skinbake {

std::string recommendation_details(const ReportView& report);
std::string explanation_details(const ReportView& report);
std::string change_details(const ReportView& report);
std::string verification_details(const ReportView& report);

}  // namespace skinbake
