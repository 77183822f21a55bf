#include "report/pages/numbers.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "report/report_text.h"

namespace skinbake {

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
  if (!value || std::isnan(*value)) return with_unit(value, unit);
  if (unit == "1") return read_number(*value * 100) + " %";
  if (unit == "m3") return read_number(*value) + " m³";
  return read_number(*value) + (unit.empty() ? "" : " ") + std::string(unit);
}

}  // namespace skinbake
