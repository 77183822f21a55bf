#include "report/read/document.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/random_access_file.h"
#include "json/json_cursor.h"
#include "json/json_text.h"
#include "report/per_vertex.h"
#include "skinbake/error.h"
#include "skinbake/memory.h"

namespace skinbake {

namespace {

void require_memory(std::uint64_t needed, const MemoryShare& share, const std::string& name) {
  if (needed > share.left()) refuse_reports(needed, share, name);
}

void check_schema(const JsonCursor& report) {
  const auto schema = report.find("schema");
  if (!schema) report.fail("is JSON, but not a skinbake.report");
  if (schema->text() == "skinbake.cache")
    schema->fail("is that of a cache's sidecar, not of a report");
  if (schema->text() != "skinbake.report") schema->fail("is not 'skinbake.report'");
  const JsonCursor version = report.at("schema_version");
  if (const std::string text = version.text(); !text.starts_with("2.")) {
    version.fail("is \"" + text + "\"; this skinbake reads version 2.x only");
  }
}

}  // namespace

// 0 if the report does not fit, or has a fault: reading it will say so.
std::uint64_t memory_of_arrays_of(const std::string& path, const MemoryShare& share) {
  try {
    const std::string text = report_text(path, share);
    const ReportDocument document = report_document(text, path, share.after(text.size()));
    return memory_of_arrays(*document.json, path);
  } catch (const Error&) {
    return 0;
  }
}

// A list that has grown takes 16 bytes for a number and 64 for a string; what else a report has,
// takes no more than 64 for each member. The document of a report is there only while it is read.
std::uint64_t memory_of_reports(std::span<const std::string> paths, bool all_stay,
                                const MemoryShare& share) {
  constexpr std::uint64_t kOfNumber = 16, kOfText = 64;
  std::uint64_t kept = 0, most = 0;
  for (const std::string& path : paths) {
    const JsonCounts counts = count_json(path);
    const std::uint64_t arrays = memory_of_arrays_of(path, share);
    most = std::max(most, kept + counts.bytes + counts.memory() + arrays);
    kept += all_stay ? counts.memory() + arrays
                     : counts.bytes + kOfNumber * counts.elements +
                           kOfText * (counts.strings + counts.members) + kept_of_arrays(arrays);
  }
  return most;
}

void refuse_reports(std::uint64_t needed, const MemoryShare& share, const std::string& name,
                    bool has_others) {
  const std::uint64_t whole = saturated_sum(share.taken, needed);
  throw Error("MEMORY_LIMIT",
              (has_others || share.taken > 0 ? "and the other reports need " : "needs ") +
                  more_than_limit(whole, share.limit) + "; " + raised_limit(whole) +
                  ", or write the report without errors per vertex",
              {name, ""});
}

std::string report_text(const std::string& path, const MemoryShare& share) {
  const RandomAccessFile file(path);
  require_memory(file.size(), share, path);
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.read_at(text.data(), text.size(), 0);
  return text;
}

ReportDocument report_document(std::string_view text, const std::string& name,
                               const MemoryShare& share) {
  const JsonMeasure measure = measure_json(text);
  ReportDocument document{std::make_shared<nlohmann::json>(), measure.memory};
  const JsonProblem problem = parse_text(text, measure, share.left(), *document.json);
  if (problem.fault == JsonFault::kTooLarge) require_memory(measure.memory, share, name);
  const JsonCursor report(name, *document.json);
  if (problem) report.fail(problem.text);
  check_schema(report);
  return document;
}

std::string shown_name(const std::string& path) {
  const std::filesystem::path given(path);
  return given.is_absolute() ? given.filename().string() : path;
}

}  // namespace skinbake
