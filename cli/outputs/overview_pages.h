// The pages beside an overview.

#pragma once

#include <string>
#include <vector>

namespace skinbake::cli {

// The overview of a library, and the page of each report beside it.
struct OverviewPages {
  std::vector<std::string> paths;  // [report] "library.hero.html" beside library.html
  std::vector<std::string> links;  // [report] their addresses relative to the overview
  std::string back;                // the address of the overview relative to them
};

// `output`: the overview's path, or "-", beside which there are no pages. Two reports of one name
// get different pages.
OverviewPages overview_pages(const std::string& output, const std::vector<std::string>& reports);

// The address of a file relative to the overview beside which it is, or below or above.
std::string address_from(const std::string& overview, const std::string& file);

// Whether a page shows the animated mesh in 3D; false of a file that cannot be read.
bool is_page_with_view(const std::string& path);

}  // namespace skinbake::cli
