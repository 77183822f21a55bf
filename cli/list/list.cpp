#include "list/list.h"

#include "report/catalogue.h"
#include "terminal/console.h"

namespace skinbake::cli {

int run_list(const ListOptions& options) {
  print(options.json ? catalogue_json(options.topic) : catalogue_text(options.topic));
  return 0;
}

}  // namespace skinbake::cli
