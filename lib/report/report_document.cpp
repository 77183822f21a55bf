#include "report/report_document.h"

#include <filesystem>

#include "base/random_access_file.h"
#include "json/json_text.h"
#include "report/json_cursor.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

[[noreturn]] void fail_memory(const std::string& name, const std::string& cause) {
  throw Error(ErrorKind::kInput, "MEMORY_LIMIT",
              cause + "; give more, or write the report with --per-vertex none", {name, ""});
}

void check_schema(const JsonCursor& report) {
  const auto schema = report.find("schema");
  if (!schema) report.fail("is JSON, but no skinbake.report");
  if (schema->text() != "skinbake.report") schema->fail("is not 'skinbake.report'");
  const JsonCursor version = report.at("schema_version");
  if (const std::string text = version.text(); !text.starts_with("1.")) {
    version.fail("is \"" + text + "\", not 1.x, the only version that this skinbake reads");
  }
}

}  // namespace

std::string report_text(const std::string& path, std::uint64_t max_memory) {
  const RandomAccessFile file(path);
  if (file.size() > max_memory) fail_memory(path, "is larger than --max-memory");
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.read_at(text.data(), text.size(), 0);
  return text;
}

ReportDocument report_document(std::string_view text, const std::string& name,
                               std::uint64_t max_memory) {
  const JsonMeasure measure = measure_json(text);
  ReportDocument document{{}, measure.memory};
  const JsonProblem problem = parse_text(text, measure, max_memory, document.json);
  if (problem.fault == JsonFault::kTooLarge) {
    fail_memory(name, "needs more memory than --max-memory allows");
  }
  const JsonCursor report(name, document.json);
  if (problem) report.fail(problem.text);
  check_schema(report);
  return document;
}

std::string shown_name(const std::string& path) {
  const std::filesystem::path typed(path);
  return typed.is_absolute() ? typed.filename().string() : path;
}

}  // namespace skinbake
