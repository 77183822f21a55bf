#include "report/read/document.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files/random_access_file.h"
#include "json/json_cursor.h"
#include "json/json_text.h"
#include "skinbake/error.h"
#include "skinbake/memory.h"

namespace skinbake {

namespace {

void require_memory(std::uint64_t needed, std::uint64_t left, const std::string& name) {
  if (needed <= left) return;
  throw Error(ErrorKind::kInput, "MEMORY_LIMIT",
              "needs " + memory_text(needed) + " of memory, more than the " + memory_text(left) +
                  " that are left; raise the limit, or write the report without errors per vertex",
              {name, ""});
}

void check_schema(const JsonCursor& report) {
  const auto schema = report.find("schema");
  if (!schema) report.fail("is JSON, but not a skinbake.report");
  if (schema->text() == "skinbake.cache")
    schema->fail("is that of a cache's sidecar, not of a report");
  if (schema->text() != "skinbake.report") schema->fail("is not 'skinbake.report'");
  const JsonCursor version = report.at("schema_version");
  if (const std::string text = version.text(); !text.starts_with("1.")) {
    version.fail("is \"" + text + "\"; this skinbake reads version 1.x only");
  }
}

}  // namespace

std::string report_text(const std::string& path, std::uint64_t max_memory) {
  const RandomAccessFile file(path);
  require_memory(file.size(), max_memory, path);
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.read_at(text.data(), text.size(), 0);
  return text;
}

ReportDocument report_document(std::string_view text, const std::string& name,
                               std::uint64_t max_memory) {
  const JsonMeasure measure = measure_json(text);
  ReportDocument document{std::make_shared<nlohmann::json>(), measure.memory};
  const JsonProblem problem = parse_text(text, measure, max_memory, *document.json);
  if (problem.fault == JsonFault::kTooLarge) require_memory(measure.memory, max_memory, name);
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
