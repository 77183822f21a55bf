#include "skinbake/tool/nearest_word.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace skinbake {

namespace {

// The number of letters that must be inserted, deleted or replaced to change one word into the
// other (Levenshtein 1966). Row by row of its table: row[j] is the distance of a's first i letters
// from b's first j.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_word(std::string_view typed, const std::vector<std::string>& words) {
  constexpr std::size_t kLongest = 64;  // a longer word is not a mistyped option
  if (typed.size() > kLongest) return "";
  std::string nearest;
  std::size_t least = (typed.size() + 2) / 3 + 1;
  for (const std::string& word : words) {
    const std::size_t distance = edit_distance(typed, word);
    if (distance >= least) continue;
    least = distance;
    nearest = word;
  }
  return nearest;
}

}  // namespace skinbake
