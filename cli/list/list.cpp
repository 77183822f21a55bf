#include "list/list.h"

#include "report/catalogue.h"
#include "terminal/console.h"

namespace skinbake::cli {

namespace {

Catalogue catalogue_of(const std::string& topic) {
  if (topic == "methods") return method_catalogue();
  if (topic == "formats") return format_catalogue();
  if (topic == "metrics") return metric_catalogue();
  return target_catalogue();
}

}  // namespace

int run_list(const ListOptions& options) {
  const Catalogue catalogue = catalogue_of(options.topic);
  print(options.json ? to_json(catalogue) : to_text(catalogue));
  return 0;
}

}  // namespace skinbake::cli
