// Defines the options of `skinbake report`.

#include "report/options.h"

#include <memory>

#include "commands.h"
#include "options/choices.h"
#include "options/option_groups.h"

namespace skinbake::cli {

namespace {

constexpr const char* kReportFooter =
    "The exit code is 0 also if a threshold was exceeded: bake and compare report that. It is 1\n"
    "beyond a --tolerance, and without a method for --recommend; 5 for reports of unlike runs.\n"
    "\n"
    "Examples:\n"
    "  skinbake report run.json -o run.html\n"
    "  skinbake report dqs.json cor.json -o both.html\n"
    "  skinbake report reports/*.json --overview -o library.html\n"
    "  skinbake report new/*.json --against old/*.json -o changes.html\n"
    "  skinbake report new.json --against old.json --tolerance error.max=1%,volume.max_loss=0.2pp\n"
    "  skinbake report reports/*.json --recommend --fail volume.max_loss=5%\n"
    "  skinbake report run.json -o run.html -o run.md -o run.xml\n"
    "  skinbake report run.json -o markdown:$GITHUB_STEP_SUMMARY";

void add_pages(CLI::App& command, ReportOptions& o) {
  repeatable(
      command
          .add_option(
              "-o,--output", o.outputs,
              "Write a page: .html, .md or .xml (JUnit); FORM: html, markdown, junit; repeatable")
          ->type_name("[FORM:]FILE"));
  command.add_flag("--overview", o.overview,
                   "Write a table of characters and clips, with a page for each report beside it");
  command.add_flag("--self-contained", o.self_contained,
                   "Put the pages of the reports into the overview, at most 64 MiB");
}

void add_changes(CLI::App& command, ReportOptions& o) {
  command.add_option("--against", o.against, "Older reports to compare with: print what changed")
      ->check(check_not_empty)
      ->type_name("REPORT.json")
      ->expected(1, -1)
      ->group("Changes");
  command
      .add_option("--tolerance", o.tolerance,
                  "Allowed changes: a number, 1% or 0.2pp of all keys; a KEY in metres also 1mm")
      ->type_name("[KEY=]LIMIT,…")
      ->group("Changes");
  command.add_option("--top", o.top, "Number of changes to print, the worst first")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->type_name("COUNT")
      ->group("Changes");
}

void add_recommendation(CLI::App& command, ReportOptions& o) {
  command.add_flag(
      "--recommend", o.recommends,
      "Recommend the cheapest method within the limits of --fail; exit 1 if there is none");
  command.add_flag("--json", o.json, "Print the recommendation as JSON instead of tables");
  add_threshold_options(command, o.thresholds);
}

}  // namespace

void setup_report(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app.add_subcommand("report", "Render JSON reports as a web page, Markdown or JUnit XML");
  command
      ->add_option("REPORT.json", options->reports,
                   "JSON reports; several are compared side by side")
      ->required()
      ->type_name("");
  add_pages(*command, *options);
  add_changes(*command, *options);
  add_recommendation(*command, *options);
  add_max_memory_option(*command);
  add_strict_option(*command, options->strict);
  command->footer(kReportFooter);
  command->callback([options, &exit_code] { exit_code = run_report(*options); });
}

}  // namespace skinbake::cli
