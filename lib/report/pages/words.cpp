#include "report/pages/words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "json/print.h"
#include "json/text.h"
#include "report/pages/runs.h"
#include "report/report_text.h"

namespace skinbake {

// ---- Names

namespace {

bool is_plain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// A character as an entity, which Markdown never reads as syntax.
std::string entity_of(char c) {
  return "&#" + std::to_string(static_cast<unsigned char>(c)) + ";";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  for_each_printable(text, [&](std::string_view character) {
    switch (character[0]) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += character;
    }
  });
  return safe;
}

std::string markdown_code(std::string_view text) {
  const std::string shown = printable(text);
  const bool fits_backticks = shown.find_first_of("`|") == std::string::npos &&
                              shown.find_first_not_of(' ') != std::string::npos;
  if (fits_backticks) return "`" + shown + "`";
  // Text with backticks would need longer fences, and renderers disagree about bars in code.
  std::string safe = "<code>";
  for (const char c : shown) is_plain(c) ? safe += c : safe += entity_of(c);
  return safe + "</code>";
}

std::string markdown_words(std::string_view text) {
  const bool are_plain = std::all_of(text.begin(), text.end(), [](char c) {
    return is_plain(c) || c == '.' || c == ',' || c == ':' || c == '%' || c == '+' || c == '-';
  });
  const bool may_be_address =
      text.find("www.") != std::string_view::npos || text.find("://") != std::string_view::npos;
  return are_plain && !may_be_address ? printable(text) : markdown_code(text);
}

std::string shortened(std::string_view text, std::size_t count) {
  std::string head;
  std::size_t count_so_far = 0;
  for_each_printable(text, [&](std::string_view character) {
    if (count_so_far < count) head += character;
    if (count_so_far == count) head += "…";
    ++count_so_far;
  });
  return head;
}

std::string key_words(std::string_view key) {
  std::string words = shortened(key, kLongestShown);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string path_words(std::string_view path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return key_words(path);
  std::string key = key_words(path.substr(dot + 1));
  std::replace(key.begin(), key.end(), '.', ' ');
  return key_words(path.substr(0, dot)) + ": " + key;
}

std::string_view clip_words(std::string_view clip) {
  return clip.empty() ? std::string_view("rest pose") : clip;
}

// ---- Numbers

namespace {

constexpr int kReadDigits = 3;
constexpr std::string_view kThinSpace = "\u202F";  // which does not break

std::string power_of_ten(int power) {
  constexpr std::array<std::string_view, 10> kSuperscripts{"⁰", "¹", "²", "³", "⁴",
                                                           "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = "10" + std::string(power < 0 ? "⁻" : "");
  for (const char digit : std::to_string(std::abs(power))) {
    text += kSuperscripts[static_cast<std::size_t>(digit - '0')];
  }
  return text;
}

// Thousands apart: "10 900".
std::string grouped(const std::string& whole) {
  constexpr std::size_t kLongestWhole = 4;
  const std::size_t sign = whole.starts_with('-') ? 1 : 0;
  if (whole.size() - sign <= kLongestWhole) return whole;
  std::string text;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (i > sign && (whole.size() - i) % 3 == 0) text += kThinSpace;
    text += whole[i];
  }
  return text;
}

}  // namespace

std::string read_number(double value) {
  if (std::isinf(value)) {  // reports have no infinity: a finite number became one in its unit
    return (value > 0 ? "above " : "below -") + power_of_ten(308);
  }
  if (!std::isfinite(value) || value == 0) return short_number(value, kReadDigits);
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, kReadDigits - 1)
          .ptr;
  std::string share(text, end);
  const std::size_t e = share.find('e');
  const int power = std::atoi(share.c_str() + e + 1);
  constexpr int kLowest = -4, kHighest = 8;
  if (power >= kLowest && power < kReadDigits) return short_number(value, kReadDigits);
  share.resize(e);
  if (power < kLowest || power > kHighest) {
    share.erase(share.find_last_not_of('0') + 1);
    if (share.ends_with('.')) share.pop_back();
    return share + std::string(kThinSpace) + "×" + std::string(kThinSpace) + power_of_ten(power);
  }
  share.erase(share.find('.'), 1);
  share.append(static_cast<std::size_t>(power - (kReadDigits - 1)), '0');
  return grouped(share);
}

std::string read_with_unit(std::optional<double> value, std::string_view unit) {
  constexpr double kRounding = 1e-6;  // of ratios, from float32 positions
  if (!value || std::isnan(*value)) return "–";
  if (unit == "1") return read_number(std::abs(*value) < kRounding ? 0 : *value * 100) + " %";
  if (unit == "m" && std::abs(*value) < 1) return read_number(*value * 1000) + " mm";
  if (unit == "m3") return read_number(*value) + " m³";
  return read_number(*value) + (unit.empty() ? "" : " ") + std::string(unit);
}

// ---- Places

namespace {

constexpr std::size_t kMostShown = 12;

std::string index_words(const Json& value) {
  std::string text;
  if (value.is_number()) text = " " + dumped(value);
  if (!value.is_array()) return text;
  for (std::size_t i = 0; i < std::min<std::size_t>(value.size(), 2); ++i) {
    if (value[i].is_number()) text += " " + dumped(value[i]);
  }
  return text;
}

void append(std::string& text, const std::string& more, std::string_view separator = ", ") {
  if (more.empty()) return;
  if (!text.empty()) text += separator;
  text += more;
}

std::string object_words(const Json& object) {
  const std::string unit = text_in(object, "unit");
  std::string text;
  std::size_t listed = 0;
  for (const auto& [key, value] : object.items()) {
    if (value.is_null() || key == "unit") continue;
    if (++listed > kMostShown) return text + ", …";
    const std::string_view carried = unit_of_key(key);
    const bool is_of_unit = key == "limit" || key == "value";
    append(text, key_words(key) + " " + value_words(value, is_of_unit ? unit : carried));
  }
  return text;
}

std::string array_words(const Json& array) {
  std::string text;
  const bool has_objects = !array.empty() && array.front().is_object();
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (i == kMostShown) return text + (has_objects ? "\n…" : ", …");
    append(text, value_words(array[i]), has_objects ? "\n" : ", ");
  }
  return text;
}

}  // namespace

std::string_view unit_of_key(std::string_view key) {
  for (const std::string_view unit : {"m", "m2", "rad", "s"}) {
    if (key.ends_with(unit) && key.substr(0, key.size() - unit.size()).ends_with('_')) return unit;
  }
  return "";
}

std::string element_words(const Json& place) {
  const bool is_inside = member(place, "inside_face") == Json(true);
  for (const char* kind : {"vertex", "triangle", "edge"}) {
    const std::string index = index_words(member(place, kind));
    if (!index.empty()) return (is_inside ? "point" : kind) + index;
  }
  return "";
}

std::string place_words(const Json& place) {
  if (!member(place, "frame").is_number()) return "";
  std::string text = text_in(place, "pose");
  append(text, "frame" + index_words(member(place, "frame")));
  append(text, element_words(place));
  const std::string joint = text_in(place, "joint");
  if (!joint.empty()) append(text, "joint " + joint);
  return shortened(text, kLongestShown);
}

std::string value_words(const Json& value, std::string_view unit) {
  std::string text;
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number()) {
    const double number = value.get<double>();  // printed as null if it is not finite
    return std::isfinite(number) ? with_unit(number, unit) : "";
  }
  if (value.is_string()) {
    text = value.get<std::string>();
  } else if (value.is_object()) {
    text = member(value, "frame").is_number() && member(value, "time_s").is_number()
               ? place_words(value)
               : object_words(value);
  } else if (value.is_array()) {
    return array_words(value);
  }
  return shortened(text, kLongestShown);
}

}  // namespace skinbake
