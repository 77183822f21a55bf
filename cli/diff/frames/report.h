// The report of a comparison of frames.

#pragma once

#include <string>
#include <vector>

#include "diff/frames/compared.h"
#include "diff/options.h"
#include "report/report.h"
#include "skinbake/compare.h"

namespace skinbake::cli {

// The report with its checks. It refers to `c`, which is completed by the clip of a cache.
Report make_report(const DiffOptions& options, Compared& c, const Difference& difference);

// The files that issues may refer to.
std::vector<std::string> files_of(const Compared& c);

}  // namespace skinbake::cli
