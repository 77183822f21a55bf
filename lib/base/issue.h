// Functions for issues: findings about an input that do not end the run.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "skinbake/error.h"

namespace skinbake {

// Returns an issue with the severity that the table gives its code.
Issue make_issue(std::string_view code, std::string file, std::string pointer, std::string message,
                 std::int64_t count = 1);

// Returns sorted_unique(issues), where a code keeps its first kPlacesListed locations in a file:
// the remaining ones are merged into one issue, and their counts are added.
Issues fold_repeated(Issues issues);
inline constexpr std::size_t kPlacesListed = 20;

// Bounds a list of issues: a hostile file has a finding every few bytes. Beyond the first thousands
// of a code, only the count of the last one grows.
class IssueLimit {
 public:
  // Precondition: the issues that were added before are at their places in the list.
  void add(Issue issue, Issues& issues);

 private:
  struct Added {
    std::size_t issues = 0;
    std::size_t last = 0;  // position in the list
  };
  std::map<std::string, Added> added_;  // by code
};

}  // namespace skinbake
