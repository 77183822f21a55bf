// skinbake list methods | formats | metrics | targets

#include <memory>

#include "commands.h"
#include "console.h"
#include "skinbake/skinbake.h"

namespace skinbake::cli {

namespace {

struct ListOptions {
  std::string topic;
  bool json = false;
};

Catalogue catalogue_of(const std::string& topic) {
  if (topic == "methods") return method_catalogue();
  if (topic == "formats") return format_catalogue();
  if (topic == "metrics") return metric_catalogue();
  return target_catalogue();
}

void run_list(const ListOptions& options) {
  const Catalogue catalogue = catalogue_of(options.topic);
  print(options.json ? to_json(catalogue) : to_text(catalogue));
}

}  // namespace

void setup_list(CLI::App& app) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command =
      app.add_subcommand("list", "Show which methods, formats, metrics and targets there are");
  command->add_option("topic", options->topic, "methods, formats, metrics or targets")
      ->required()
      ->check(CLI::IsMember({"methods", "formats", "metrics", "targets"}))
      ->type_name("TOPIC");
  command->add_flag("--json", options->json, "Print JSON instead of text");
  command->footer("Example:\n  skinbake list methods");
  command->callback([options] { run_list(*options); });
}

}  // namespace skinbake::cli
