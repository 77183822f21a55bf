// skinbake report run.json -o run.html -o run.md -o run.xml

#include <memory>
#include <vector>

#include "commands.h"
#include "console.h"
#include "load_options.h"
#include "output_paths.h"
#include "skinbake/skinbake.h"

namespace skinbake::cli {

namespace {

struct ReportOptions {
  std::vector<std::string> reports;
  std::vector<std::string> outputs;
  std::string format;  // empty: by the extension
  std::uint64_t max_memory = LoadOptions{}.max_memory;
};

PageFormat format_of(const ReportOptions& options, const std::string& output) {
  if (options.format == "html") return PageFormat::kHtml;
  if (options.format == "markdown") return PageFormat::kMarkdown;
  if (options.format == "junit") return PageFormat::kJunit;
  if (const auto format = page_format_of(output)) return *format;
  throw Error(ErrorKind::kUsage, "REPORT_FORMAT_UNKNOWN",
              "output '" + output +
                  "' ends in none of .html, .md and .xml; name it so, or give --format "
                  "html|markdown|junit");
}

// What the pages leave out. Other issues are of the run that wrote the report, which has told them.
void log_missing(const ReportView& report, const std::string& path) {
  for (const Issue& issue : report.issues) {
    if (issue.code == "PER_VERTEX_MISSING") log_issues({issue}, {path});
  }
}

// Everything is read and made before the first output gets its name.
void run_report(const ReportOptions& options) {
  std::vector<std::string> files;
  for (const std::string& output : options.outputs) {
    format_of(options, output);  // throws before anything is read
    if (output != "-") files.push_back(output);
  }
  require_distinct(files);
  require_no_input(files, options.reports);
  std::vector<ReportView> reports;
  for (const std::string& path : options.reports) {
    reports.push_back(read_report(path, options.max_memory));
    log_missing(reports.back(), path);
  }
  std::vector<OutputFile> opened;
  std::string printed;
  for (const std::string& output : options.outputs) {
    const std::string page = to_page(format_of(options, output), reports);
    if (output == "-") {
      printed += page;
    } else {
      opened.emplace_back(output).write(page);
    }
  }
  if (!printed.empty()) print(printed);  // may fail, and then no file is written
  for (OutputFile& file : opened) file.commit();
}

}  // namespace

void setup_report(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app.add_subcommand("report", "Show JSON reports as a web page, as Markdown or as JUnit XML");
  command->add_option("reports", options->reports, "JSON reports; several are shown side by side")
      ->required()
      ->type_name("REPORT.json");
  command
      ->add_option("-o,--output", options->outputs,
                   "Output: .html, .md or .xml (JUnit); may be repeated; '-': standard output")
      ->required()
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("PATH");
  command->add_option("--format", options->format, "Format, whatever the extension")
      ->check(CLI::IsMember({"html", "markdown", "junit"}, CLI::ignore_case))
      ->type_name("html|markdown|junit");
  add_max_memory_option(*command, options->max_memory);
  command->footer(
      "The exit code is 0 also where a limit was exceeded: bake and compare have said so.\n"
      "\n"
      "Examples:\n"
      "  skinbake report run.json -o run.html\n"
      "  skinbake report before.json after.json -o difference.html\n"
      "  skinbake report run.json -o run.html -o run.md -o run.xml\n"
      "  skinbake report run.json -o - --format markdown >>\"$GITHUB_STEP_SUMMARY\"");
  command->callback([options] { run_report(*options); });
}

}  // namespace skinbake::cli
