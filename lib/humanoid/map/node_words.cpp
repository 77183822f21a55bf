#include "humanoid/map/node_words.h"

#include <algorithm>
#include <array>
#include <utility>

namespace skinbake {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_separator(char c) {
  return c == ' ' || c == '\t' ||
         std::string_view("-._:(){}[]<>|").find(c) != std::string_view::npos;
}

// Texts in UTF-8 and their ASCII forms.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kAscii{{
    {"左", " left "},
    {"右", " right "},
    {"０", "0"},
    {"１", "1"},
    {"２", "2"},
    {"３", "3"},
    {"４", "4"},
    {"５", "5"},
    {"６", "6"},
    {"７", "7"},
    {"８", "8"},
    {"９", "9"},
}};

std::string in_ascii(std::string_view name) {
  std::string text;
  while (!name.empty()) {
    const auto found = std::find_if(kAscii.begin(), kAscii.end(),
                                    [&](const auto& pair) { return name.starts_with(pair.first); });
    if (found == kAscii.end()) {
      text += name.front();
      name.remove_prefix(1);
    } else {
      text += found->second;
      name.remove_prefix(found->first.size());
    }
  }
  return text;
}

// Whether a word ends before text[i].
bool is_boundary(const std::string& text, std::size_t i) {
  const char before = text[i - 1], here = text[i];
  if (is_digit(before) != is_digit(here)) return true;
  if (is_lower(before) && is_upper(here)) return true;
  // The last capital of several begins the next word: "IKFoot" is "IK" and "Foot".
  return is_upper(before) && is_upper(here) && i + 1 < text.size() && is_lower(text[i + 1]);
}

BodySide side_of(const std::string& word) {
  if (word == "l" || word.starts_with("left")) return BodySide::kLeft;
  if (word == "r" || word.starts_with("right")) return BodySide::kRight;
  return BodySide::kMiddle;
}

std::size_t side_length(const std::string& word) {
  return word.starts_with("left") ? 4 : word.starts_with("right") ? 5 : 1;
}

}  // namespace

std::vector<std::string> words_of(std::string_view name) {
  constexpr std::size_t kLongest = 256;  // each byte may be a word
  if (name.size() > kLongest) return {};
  const std::string text = in_ascii(name);
  std::vector<std::string> words;
  bool is_open = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_separator(text[i])) {
      is_open = false;
      continue;
    }
    if (!is_open || is_boundary(text, i)) words.emplace_back();
    is_open = true;
    words.back() += is_upper(text[i]) ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
  }
  return words;
}

BoneWords bone_words(std::vector<std::string> words, LeadingZeros zeros) {
  BoneWords result;
  for (std::string& word : words) {
    if (result.side == BodySide::kMiddle) {
      result.side = side_of(word);
      if (result.side != BodySide::kMiddle) word.erase(0, side_length(word));
    }
    const bool is_number = !word.empty() && is_digit(word.front());
    if (is_number && zeros == LeadingZeros::kDropped) {
      word.erase(0, std::min(word.find_first_not_of('0'), word.size() - 1));
    }
    result.words += word;
  }
  return result;
}

}  // namespace skinbake
