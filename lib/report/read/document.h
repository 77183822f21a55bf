// An untrusted report as JSON, within a memory limit and of a version that this skinbake reads. The
// functions in sections.h check its contents.

#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "skinbake/memory.h"

namespace skinbake {

struct ReportDocument {
  std::shared_ptr<nlohmann::json> json;  // an object
  std::uint64_t memory = 0;              // largest number of bytes that it takes
};

// The memory that reports need which are read one after another, in bytes: from their characters,
// an upper bound. It includes the errors per vertex in other files of a report that fits into what
// is left of `share` without them. `all_stay`: their documents are kept. Throws Error (kInput,
// FILE_UNREADABLE).
std::uint64_t memory_of_reports(std::span<const std::string> paths, bool all_stay,
                                const MemoryShare& share);

// Throws Error (kInput, MEMORY_LIMIT) that names the limit for `needed` bytes beside those that are
// taken. `name`: of the first report that does not fit; `has_others`: `needed` includes more of
// them.
[[noreturn]] void refuse_reports(std::uint64_t needed, const MemoryShare& share,
                                 const std::string& name, bool has_others = false);

// The text of a file. Throws Error (kInput) if the file cannot be read or is larger than
// what is left of `share`.
std::string report_text(const std::string& path, const MemoryShare& share);

// `name` stands for the text in messages. Throws Error (kInput): REPORT_INVALID, MEMORY_LIMIT.
ReportDocument report_document(std::string_view text, const std::string& name,
                               const MemoryShare& share);

// A path without the folders of this machine: an absolute path becomes its file name.
std::string shown_name(const std::string& path);

}  // namespace skinbake
