#include "report/page_text.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "report/answers.h"
#include "skinbake/in_between.h"

namespace skinbake {

std::string short_number(double value) {
  constexpr int kDigits = 4;
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::general, kDigits).ptr;
  return value == 0 ? "0" : std::string(text, end);  // never "-0"
}

std::string with_unit(std::optional<double> value, std::string_view unit) {
  if (!value || *value != *value) return "not a number";
  if (unit == "1") return short_number(*value * 100) + " %";
  if (unit == "m3") return short_number(*value) + " m³";
  return short_number(*value) + (unit.empty() ? "" : " ") + std::string(unit);
}

std::string_view unit_of(const SectionView& section, std::string_view name) {
  if (name.ends_with("_relative") || name.ends_with("loss")) return "1";
  if (name == "erms" || name == "kg_percent" || name == "folds") return "";
  return section.unit;
}

std::string place_text(const std::optional<PlaceView>& place) {
  if (!place) return "";
  return "frame " + std::to_string(place->frame) +
         (place->element.empty() ? "" : ", " + place->element);
}

Outcome outcome_of(const Check& check) {
  if (check.passed) return Outcome::kPassed;
  return check.severity == "warn" ? Outcome::kWarned : Outcome::kFailed;
}

namespace {

// By the number itself; the report has none of "error.over", but the worst run of each method.
bool exceeds(const Check& check, const MeshView& mesh, const RunView& run) {
  const std::string_view metric = check.metric;
  const std::size_t dot = std::min(metric.find('.'), metric.size() - 1);
  const SectionView* section = run.section(metric.substr(0, dot));
  const NumberView* number = section == nullptr ? nullptr : section->number(metric.substr(dot + 1));
  if (number != nullptr && number->value) return !(*number->value <= check.limit);
  const std::span<const Check> methods = methods_of(check);
  return std::any_of(methods.begin(), methods.end(), [&](const Check& of) {
    return !of.passed && of.mesh == mesh.id && of.clip == run.clip && of.method == run.method;
  });
}

}  // namespace

Outcome outcome_of(const ReportView& report, const MeshView& mesh, const RunView& run) {
  Outcome worst = Outcome::kPassed;
  for (const Check& check : report.checks) {
    if (!check.passed && exceeds(check, mesh, run)) worst = std::max(worst, outcome_of(check));
  }
  return worst;
}

std::span<const Check> methods_of(const Check& check) {
  return check.methods.empty() ? std::span(&check, 1) : std::span<const Check>(check.methods);
}

std::string exceeded_text(const Check& check, std::string (*name)(std::string_view)) {
  constexpr std::size_t kMostNames = 8;
  if (check.failures < 2) return "";
  std::string text = "exceeded " + std::to_string(check.failures) + " times";
  std::size_t shown = 0, more = 0;
  for (const Check& method : check.methods) {
    if (method.passed) continue;
    if (shown == kMostNames) {
      ++more;
      continue;
    }
    text += (shown++ == 0 ? ", by " : ", ") + name(method.method) + " (" +
            with_unit(method.value, method.unit) + ")";
  }
  return more == 0 ? text : text + " and " + std::to_string(more) + " more";
}

std::string worst_verdict(std::span<const ReportView> reports) {
  for (const char* verdict : {"fail", "warn", "pass"}) {
    const bool any = std::any_of(reports.begin(), reports.end(), [&](const ReportView& report) {
      return verdict_of(report) == verdict;
    });
    if (any) return verdict;
  }
  return "none";
}

std::string limit_text(const Check& check) {
  // Nobody gave this one: it holds of all runs that have limits.
  if (check.limit == std::numeric_limits<double>::max()) return "every position is a number";
  return check.option + " " + with_unit(check.limit, check.unit);
}

std::string value_text(const Check& check) {
  return check.mesh.empty() ? "not measured" : with_unit(check.value, check.unit);
}

std::string check_place_text(const Check& check) {
  if (check.mesh.empty()) {
    const bool is_volume = check.metric.starts_with("volume.");
    return is_volume ? "no part of a selected mesh is closed or nearly so"
                     : "no selected mesh has this measurement";
  }
  std::string text = "mesh '" + check.mesh + "'";
  if (!check.clip.empty()) text += ", clip '" + check.clip + "'";
  if (!check.method.empty()) text += ", " + check.method;
  if (check.frame) text += ", frame " + std::to_string(*check.frame);
  if (check.vertex) text += ", vertex " + std::to_string(*check.vertex);
  return text;
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

WorstNumber worst_of(const ReportView& report, std::string_view section, std::string_view number) {
  WorstNumber worst;
  for (const MeshView& mesh : report.meshes) {
    for (const RunView& run : mesh.runs) {
      const SectionView* found = run.section(section);
      const NumberView* candidate = found == nullptr ? nullptr : found->number(number);
      if (candidate == nullptr || !candidate->value) continue;
      if (worst.number != nullptr && *candidate->value <= *worst.number->value) continue;
      worst = {&mesh, &run, candidate};
    }
  }
  return worst;
}

const JointView* worst_joint(const RunView& run) {
  const JointView* worst = nullptr;
  for (const JointView& joint : run.joints) {
    if (joint.max_loss && (worst == nullptr || *joint.max_loss > *worst->max_loss)) worst = &joint;
  }
  return worst;
}

std::string fps_text(const SufficientFps& sufficient) {
  const std::string within = " within " + with_unit(sufficient.limit_m, "m") + " between frames";
  if (sufficient.fps) {
    return short_number(*sufficient.fps) + " fps is the lowest usual rate that stays" + within;
  }
  return "no usual rate, up to " + short_number(usual_rates_hz().back()) + " fps, stays" + within;
}

std::vector<Measured> other_numbers(const RunView& run) {
  std::vector<Measured> all;
  for (const SectionView& section : run.sections) {
    if (section.id == "error" || section.id == "volume") continue;
    for (const NumberView& number : section.numbers) {
      if (number.value) all.push_back({&section, &number});
    }
  }
  return all;
}

}  // namespace skinbake
