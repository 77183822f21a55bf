#include "page_options.h"

#include "choices.h"

namespace skinbake::cli {

std::vector<std::pair<PageFormat, std::string>> PageOptions::given() const {
  std::vector<std::pair<PageFormat, std::string>> pages;
  if (!html.empty()) pages.emplace_back(PageFormat::kHtml, html);
  if (!markdown.empty()) pages.emplace_back(PageFormat::kMarkdown, markdown);
  if (!junit.empty()) pages.emplace_back(PageFormat::kJunit, junit);
  return pages;
}

void add_page_options(CLI::App& command, PageOptions& options) {
  command.add_option("--html", options.html, "The report as one web page, with its curves")
      ->check(a_file)
      ->type_name("PATH");
  command.add_option("--markdown", options.markdown, "The report for a pull request")
      ->check(a_file)
      ->type_name("PATH");
  command.add_option("--junit", options.junit, "The thresholds as JUnit XML, for a build server")
      ->check(a_file)
      ->type_name("PATH");
}

void add_view_option(CLI::App& command, PageOptions& options) {
  command.add_flag("--view", options.view,
                   "With --html: the mesh itself on the page, to be turned and played, coloured by "
                   "error or stretch; larger by at most 64 MiB");
}

}  // namespace skinbake::cli
