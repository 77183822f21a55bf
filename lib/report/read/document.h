// An untrusted report as JSON, within a memory limit and of a version that this skinbake reads. The
// functions in sections.h check its contents.

#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace skinbake {

struct ReportDocument {
  std::shared_ptr<nlohmann::json> json;  // an object
  std::uint64_t memory = 0;              // largest number of bytes that it takes
};

// The text of a file. Throws Error (kInput) if the file cannot be read or is larger than
// `max_memory`.
std::string report_text(const std::string& path, std::uint64_t max_memory);

// `name` stands for the text in messages. Throws Error (kInput): REPORT_INVALID, MEMORY_LIMIT.
ReportDocument report_document(std::string_view text, const std::string& name,
                               std::uint64_t max_memory);

// A path without the folders of this machine: an absolute path becomes its file name.
std::string shown_name(const std::string& path);

}  // namespace skinbake
