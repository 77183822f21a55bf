#include "thresholds/thresholds.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/nearest_word.h"
#include "options/choices.h"
#include "options/numbers.h"
#include "options/usage_error.h"
#include "skinbake/methods.h"

namespace skinbake::cli {

namespace {

constexpr const char* kSharedKey = "error.max";  // the number that --fail …,share= counts

struct UnitWord {
  std::string_view word;
  Unit unit;
  double factor;
};
constexpr double kRadiansPerDegree = 0.017453292519943295;
constexpr UnitWord kUnitWords[] = {{"um", Unit::kMetres, 1e-6},
                                   {"mm", Unit::kMetres, 1e-3},
                                   {"cm", Unit::kMetres, 1e-2},
                                   {"m", Unit::kMetres, 1},
                                   {"m3", Unit::kCubicMetres, 1},
                                   {"rad", Unit::kRadians, 1},
                                   {"deg", Unit::kRadians, kRadiansPerDegree}};

// An option and its text, for the messages about a wrong text.
struct Typed {
  std::string option, text;

  [[noreturn]] void fail(const std::string& message) const {
    throw UsageError(option, "'" + text + "': " + message);
  }

  // A number of 0 or more at the start of `limit`, which keeps the word behind it.
  double take_number(std::string_view& limit) const {
    double number = 0;
    const char* const end = limit.data() + limit.size();
    const auto [rest, error] = std::from_chars(limit.data(), end, number);
    if (error != std::errc() || !std::isfinite(number)) {
      fail("write KEY=LIMIT, where LIMIT is a number with or without a unit");
    }
    if (number < 0) fail("a limit must not be below 0");
    limit.remove_prefix(static_cast<std::size_t>(rest - limit.data()));
    return number;
  }

  // "1%" as 0.01.
  double share(std::string_view text_of_share) const {
    const double number = take_number(text_of_share);
    const double part = text_of_share == "%" ? number / 100 : number;
    if ((text_of_share != "%" && !text_of_share.empty()) || part > 1) {
      fail("a share is from 0 to 100%");
    }
    return part;
  }
};

std::string words_of_unit(Unit unit) {
  std::string words = unit == Unit::kRatio || unit == Unit::kMetres ? "%" : "";
  for (const UnitWord& known : kUnitWords) {
    if (known.unit == unit) words += (words.empty() ? "" : ", ") + std::string(known.word);
  }
  return words.empty() ? "no unit" : words;
}

Limit read_limit(const Typed& typed, Unit unit, std::string_view limit) {
  const std::string_view whole = limit;
  const double number = typed.take_number(limit);
  if (limit == "%" && unit == Unit::kRatio) return {number / 100};
  if (limit == "%" && unit == Unit::kMetres) return {number / 100, true};
  // "5" is a mistake for "5%": a limit of 500 % would never be exceeded.
  if (limit.empty() && unit == Unit::kRatio && number > 1) {
    typed.fail("is more than the whole; write " + std::string(whole) + "%");
  }
  if (limit.empty()) return {number};
  for (const UnitWord& known : kUnitWords) {
    if (known.word == limit && known.unit == unit) return {number * known.factor};
  }
  typed.fail("'" + std::string(limit) +
             "' is not a unit of the limit, which takes: " + words_of_unit(unit));
}

void find_field(const Typed& typed, std::span<const MetricInfo> sections, const std::string& key,
                Threshold& threshold) {
  std::vector<std::string> keys;
  for (const MetricInfo& section : sections) {
    for (const MetricField& field : section.fields) {
      threshold.section = section.id;
      threshold.field = field;
      if (threshold.key() == key) return;
      keys.push_back(threshold.key());
    }
  }
  std::string known = "; see skinbake list metrics";
  if (sections.size() < metrics().size()) {  // those that a comparison measures
    known = "; there are: ";
    for (const std::string& one : keys) known += (&one == &keys.front() ? "" : ", ") + one;
  }
  typed.fail("there is no number '" + key + "'" + did_you_mean(key, keys) + known);
}

// A method as RunRecord::name() has it: "dqs:sign=first@unreal-4".
std::string run_name_of(const Typed& typed, const std::string& text) {
  const std::size_t at = text.find('@');
  try {
    return run_name(parse_method(text.substr(0, at)).canonical(),
                    at == std::string::npos ? "" : text.substr(at + 1));
  } catch (const Error& error) {
    typed.fail(error.what());
  }
}

}  // namespace

Threshold parse_threshold(CheckSeverity severity, std::span<const MetricInfo> sections,
                          const std::string& text) {
  const Typed typed{"--" + std::string(to_string(severity)), text};
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) typed.fail("write KEY=LIMIT, such as error.max=1mm");
  Threshold threshold;
  threshold.severity = severity;
  find_field(typed, sections, text.substr(0, equals), threshold);
  std::string limit = text.substr(equals + 1);
  if (const std::size_t at = limit.find('@'); at != std::string::npos) {
    threshold.method = run_name_of(typed, limit.substr(at + 1));
    limit.resize(at);
  }
  constexpr std::string_view kShare = ",share=";
  if (const std::size_t share = limit.find(kShare); share != std::string::npos) {
    if (threshold.key() != kSharedKey) {
      typed.fail(std::string("a share of the vertices is for ") + kSharedKey);
    }
    threshold.share = typed.share(std::string_view(limit).substr(share + kShare.size()));
    limit.resize(share);
  }
  const Limit parsed = read_limit(typed, threshold.field.unit, limit);
  threshold.limit = parsed.value;
  threshold.is_relative = parsed.is_relative;
  return threshold;
}

Limit parse_limit(const std::string& option, Unit unit, const std::string& text) {
  return read_limit({option, text}, unit, text);
}

bool applies_to(const Threshold& threshold, const std::vector<Threshold>& given,
                const std::string& method) {
  if (!threshold.method.empty()) return threshold.method == method;
  return std::none_of(given.begin(), given.end(), [&](const Threshold& other) {
    return !other.method.empty() && other.method == method &&
           other.severity == threshold.severity && other.key() == threshold.key();
  });
}

void Thresholds::require_methods(const std::vector<std::string>& methods) const {
  for (const Threshold& t : given) {
    if (t.method.empty() || std::find(methods.begin(), methods.end(), t.method) != methods.end()) {
      continue;
    }
    std::string known;
    for (const std::string& method : methods) known += (known.empty() ? "" : ", ") + method;
    throw UsageError("--" + std::string(to_string(t.severity)),
                     "'" + t.method + "' is not a method of the run; there are: " + known);
  }
}

std::vector<double> Thresholds::vertex_limits_m(double bbox_diagonal_m) const {
  std::vector<double> limits;
  for (const Threshold& t : given) {
    if (t.key() == kSharedKey) limits.push_back(t.limit_of(bbox_diagonal_m));
  }
  std::erase_if(limits, [](double limit) { return !std::isfinite(limit); });
  std::sort(limits.begin(), limits.end());
  limits.erase(std::unique(limits.begin(), limits.end()), limits.end());
  return limits;
}

std::optional<double> Thresholds::limit_of(const MetricInfo& metric, double bbox_diagonal_m) const {
  for (const Threshold& t : given) {
    if (t.section == metric.id && t.field.key == metric.fields.front().key) {
      return t.limit_of(bbox_diagonal_m);
    }
  }
  return {};
}

bool Thresholds::need(std::string_view section) const {
  return std::any_of(given.begin(), given.end(),
                     [&](const Threshold& t) { return t.section == section; });
}

void add_threshold_options(CLI::App& command, Thresholds& thresholds,
                           std::vector<MetricInfo> sections) {
  for (const CheckSeverity severity : {CheckSeverity::kFail, CheckSeverity::kWarn}) {
    const bool fails = severity == CheckSeverity::kFail;
    repeatable(command
                   .add_option_function<std::vector<std::string>>(
                       fails ? "--fail" : "--warn",
                       [&thresholds, severity, sections](const std::vector<std::string>& texts) {
                         for (const std::string& text : texts) {
                           thresholds.given.push_back(parse_threshold(severity, sections, text));
                         }
                       },
                       std::string(fails ? "Exit 1" : "Warn") +
                           " if a number exceeds its limit: error.max=1mm, volume.max_loss=5%@dqs")
                   ->type_name("KEY=LIMIT[,share=P%][@METHOD]")
                   ->group("Thresholds (keys: skinbake list metrics)"));
  }
}

}  // namespace skinbake::cli
