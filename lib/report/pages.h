// The forms in which reports are shown, each in a file of its own.

#pragma once

#include <span>
#include <string>

#include "skinbake/report_view.h"

namespace skinbake {

std::string to_html(std::span<const ReportView> reports, const View* view);
std::string to_markdown(std::span<const ReportView> reports);
std::string to_junit(std::span<const ReportView> reports);

}  // namespace skinbake
