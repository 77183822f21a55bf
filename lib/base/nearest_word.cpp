#include "base/nearest_word.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace skinbake {

namespace {

// The number of letters that must be inserted, deleted, replaced or exchanged with the next one to
// change one word into the other (Damerau 1964; no letter is changed twice). Row by row of its
// table: row[j] is the distance of a's first i letters from b's first j.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, row[j - 1] + 1, above[j] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row.back();
}

// ASCII letters only: the others are bytes of UTF-8.
std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return small;
}

constexpr std::size_t kLongest = 64;  // a longer word is not a mistyped one

// The only word that contains `part`, in small letters. Empty: none, or several.
std::string word_with(const std::string& part, const std::vector<std::string>& words) {
  constexpr std::size_t kShortest = 3;  // fewer letters are in many words
  std::string found;
  if (part.size() < kShortest) return found;
  for (const std::string& word : words) {
    if (word.size() > kLongest || in_small_letters(word).find(part) == std::string::npos) continue;
    if (!found.empty()) return "";
    found = word;
  }
  return found;
}

}  // namespace

std::string nearest_word(std::string_view typed, const std::vector<std::string>& words) {
  if (typed.size() > kLongest) return "";
  const std::string letters = in_small_letters(typed);
  std::string nearest;
  std::size_t least = (letters.size() + 2) / 3 + 1;
  for (const std::string& word : words) {
    // A word of another length differs in at least as many letters.
    if (word.size() >= letters.size() + least || letters.size() >= word.size() + least) continue;
    const std::size_t distance = edit_distance(letters, in_small_letters(word));
    if (distance >= least) continue;
    least = distance;
    nearest = word;
  }
  return nearest.empty() ? word_with(letters, words) : nearest;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& words) {
  const std::string nearest = nearest_word(typed, words);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

}  // namespace skinbake
