// Defines the options of `skinbake report`.

#include "report/options.h"

#include <memory>

#include "commands.h"
#include "options/option_groups.h"
#include "options/parsing/choices.h"

namespace skinbake::cli {

namespace {

constexpr const char* kFooter =
    "The exit code is 0 also if a threshold was exceeded: bake and compare report that. With\n"
    "--recommend it is 1 if no method is within the limits.\n"
    "\n"
    "Examples:\n"
    "  skinbake report run.json -o run.html\n"
    "  skinbake report before.json after.json -o difference.html\n"
    "  skinbake report reports/*.json -o library.html --overview\n"
    "  skinbake report new/*.json --against old/*.json -o library.html\n"
    "  skinbake report reports/*.json --recommend --fail volume.max_loss=5%\n"
    "  skinbake report run.json -o run.html -o run.md -o run.xml\n"
    "  skinbake report run.json -o - --format markdown >>\"$GITHUB_STEP_SUMMARY\"";

void add_pages(CLI::App& command, ReportOptions& o) {
  repeatable(
      command
          .add_option("-o,--output", o.outputs,
                      "Output: .html, .md or .xml (JUnit); may be repeated; '-': standard output; "
                      "optional with --recommend")
          ->type_name("PATH"));
  command.add_option("--format", o.format, "Format of every output; default: by the extension")
      ->transform(one_of({"html", "markdown", "junit"}))
      ->type_name("html|markdown|junit");
  command.add_flag("--overview", o.overview,
                   "The web page is a matrix of characters and clips, with a page for each report "
                   "beside it; default for more than 8 reports");
  command.add_flag("--self-contained", o.self_contained,
                   "The overview contains the page of each report, in at most 64 MiB, instead of "
                   "linking to files beside it");
  command
      .add_option("--against", o.against,
                  "Older reports: the overview also shows the changes since them; may be repeated")
      ->check(check_not_empty)
      ->type_name("REPORT.json")
      ->expected(1, -1);
}

void add_recommendation(CLI::App& command, ReportOptions& o) {
  command.add_flag("--recommend", o.recommends,
                   "Recommend the cheapest method within the limits of --fail, for each character "
                   "(a rig of the reports) and for all; exit 1 if there is none");
  command.add_flag("--json", o.json, "With --recommend: print JSON instead of tables");
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
  add_recommendation(*command, *options);
  add_max_memory_option(*command, options->max_memory);
  add_strict_option(*command, options->strict);
  command->footer(kFooter);
  command->callback([options, &exit_code] { exit_code = run_report(*options); });
}

}  // namespace skinbake::cli
