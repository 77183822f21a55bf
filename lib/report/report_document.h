// A report that nobody vouches for, as JSON: within a limit of memory, and of a version that this
// skinbake knows. What is in it, its readers check.

#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace skinbake {

struct ReportDocument {
  nlohmann::json json;       // an object
  std::uint64_t memory = 0;  // bytes that it takes at most
};

// All of a file. Throws Error (kInput) if it cannot be read or is larger than `max_memory`.
std::string report_text(const std::string& path, std::uint64_t max_memory);

// `name` stands for the text in messages. Throws Error (kInput): REPORT_INVALID, MEMORY_LIMIT.
ReportDocument report_document(std::string_view text, const std::string& name,
                               std::uint64_t max_memory);

// A report's path as others show it: no folders of this machine.
std::string shown_name(const std::string& path);

}  // namespace skinbake
