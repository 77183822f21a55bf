// The overview of a library, and the page of each report beside it.

#pragma once

#include <string>
#include <vector>

namespace skinbake::cli {

struct OverviewPages {
  std::vector<std::string> paths;  // [report] "library.hero.html" beside library.html
  std::vector<std::string> links;  // [report] their addresses relative to the overview
  std::string back;                // the address of the overview relative to them
};

// `output`: the overview's path, or "-", beside which there are no pages. Two reports of one name
// get different pages.
OverviewPages overview_pages(const std::string& output, const std::vector<std::string>& reports);

}  // namespace skinbake::cli
