// JSON reports that are read back. A report is untrusted: it is read within bounds, and its members
// have the types of report.schema.json.

#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/error.h"

namespace skinbake {

using Json = nlohmann::ordered_json;

struct NamedReport {
  std::string name;       // of the file, never an absolute path
  Json document;          // an object
  std::size_t place = 0;  // of its path among the paths given to read_reports
};

// Reads reports in the order of the paths. Sidecars of caches, which a pattern such as run*.json
// also names, are skipped, and an issue for each is added to `skipped`. Throws Error (kInput) with
// file and JSON pointer: FILE_UNREADABLE, REPORT_INVALID; also if every path names a sidecar.
std::vector<NamedReport> read_reports(std::span<const std::string> paths, Issues& skipped);

// `name` stands for the file in messages and pages.
NamedReport parse_report(std::string_view text, const std::string& name);

}  // namespace skinbake
