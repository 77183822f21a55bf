// skinbake report run.json -o run.html -o run.md -o run.xml

#include <memory>
#include <optional>
#include <vector>

#include "choices.h"
#include "commands.h"
#include "console.h"
#include "load_options.h"
#include "output_paths.h"
#include "report_rig.h"
#include "skinbake/skinbake.h"
#include "view.h"

namespace skinbake::cli {

namespace {

struct ReportOptions {
  std::vector<std::string> reports;
  std::vector<std::string> outputs;
  std::string format;  // empty: by the extension
  ReportRigOptions rig;
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

// The mesh in space is of one report, on a web page.
void check_rig(const ReportOptions& options) {
  if (options.rig.rig.empty()) {
    if (options.rig.clip.empty() && options.rig.map.empty()) return;
    throw CLI::ValidationError(options.rig.clip.empty() ? "--map" : "--clip", "is for --rig");
  }
  require_viewer("--rig");
  if (options.reports.size() > 1) {
    throw CLI::ValidationError("--rig", "is the rig of one report; show them one at a time");
  }
  for (const std::string& output : options.outputs) {
    if (format_of(options, output) == PageFormat::kHtml) return;
  }
  throw CLI::ValidationError("--rig", "is for a web page; give an output that ends in .html");
}

// Everything is read and made before the first output gets its name.
void run_report(const ReportOptions& options) {
  std::vector<std::string> files;
  for (const std::string& output : options.outputs) {
    format_of(options, output);  // throws before anything is read
    if (output != "-") files.push_back(output);
  }
  require_distinct(files);
  check_rig(options);
  std::vector<std::string> inputs = options.reports;
  if (!options.rig.rig.empty()) inputs.push_back(options.rig.rig);
  require_no_input(files, inputs);
  std::vector<ReportView> reports;
  for (const std::string& path : options.reports) {
    reports.push_back(read_report(path, options.rig.load.max_memory));
  }
  std::optional<ReportRig> rig;
  if (!options.rig.rig.empty()) rig.emplace(options.rig, reports.front());
  std::vector<OutputFile> opened;
  std::string printed;
  for (const std::string& output : options.outputs) {
    const std::string page =
        to_page(format_of(options, output), reports, rig ? &rig->view() : nullptr);
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
  command
      ->add_option("--rig", options->rig.rig,
                   "The rig that the report is of: the page then has the mesh itself, to be turned "
                   "and played, coloured by error or stretch; larger by at most 64 MiB")
      ->check(not_empty)
      ->type_name("FILE");
  command
      ->add_option("--clip", options->rig.clip,
                   "Of --rig: the file of the report's clips, if they are not the rig's own")
      ->check(not_empty)
      ->type_name("FILE[#ID]");
  command->add_option("--map", options->rig.map, "Of --clip: as bake has it")
      ->check(not_empty)
      ->type_name("FILE");
  add_load_options(*command, options->rig.load);
  command->footer(
      "The exit code is 0 also where a limit was exceeded: bake and compare have said so.\n"
      "\n"
      "Examples:\n"
      "  skinbake report run.json -o run.html\n"
      "  skinbake report before.json after.json -o difference.html\n"
      "  skinbake report run.json --rig hero.glb -o run.html\n"
      "  skinbake report run.json -o run.html -o run.md -o run.xml\n"
      "  skinbake report run.json -o - --format markdown >>\"$GITHUB_STEP_SUMMARY\"");
  command->callback([options] { run_report(*options); });
}

}  // namespace skinbake::cli
