// `skinbake list methods`: prints the available methods, formats, metrics or targets.

#include <memory>
#include <string>

#include "commands.h"
#include "options/choices.h"
#include "report/catalogue.h"
#include "terminal/console.h"

namespace skinbake::cli {

namespace {

struct ListOptions {
  std::string topic;  // "methods", "formats", "metrics", "targets"
  bool json = false;
};

}  // namespace

void setup_list(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command =
      app.add_subcommand("list", "List the methods, formats, metrics or instruction sets");
  command->add_option("TOPIC", options->topic, "methods, formats, metrics or targets")
      ->required()
      ->transform(one_of({"methods", "formats", "metrics", "targets"}))
      ->type_name("");
  command->add_flag("--json", options->json, "Print JSON instead of text");
  command->footer(
      "Examples:\n"
      "  skinbake list methods\n"
      "  skinbake list formats --json");
  command->callback([options, &exit_code] {
    print(options->json ? catalogue_json(options->topic) : catalogue_text(options->topic));
    exit_code = 0;
  });
}

}  // namespace skinbake::cli
