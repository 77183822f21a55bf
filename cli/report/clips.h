// The clips of a report, for `report --rig`: from the files that the options name, and with the
// settings that the report records.

#pragma once

#include <string>

#include "clips/clip_source.h"
#include "report/read/parsed_report.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// A file of the report that no option names.
struct MissingFile {
  const char* what;    // "clips are"
  std::string file;    // as in the report
  std::string option;  // "--clip"
};
// Throws Error (kUsage, VIEW_WITHOUT_RIG).
[[noreturn]] void missing_file(const ParsedReport& report, const MissingFile& missing);

// Gives the asset the clips of the report if they are not the rig's own. Throws Error and
// UsageError: kUsage if a file of the report is missing, or if an option contradicts the report.
void use_report_clips(const ClipSource& given, const LoadOptions& load, const ParsedReport& report,
                      Asset& asset);

}  // namespace skinbake::cli
