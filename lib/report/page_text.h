// Words and numbers that all forms of a shown report share. Nothing is escaped yet.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/report_view.h"

namespace skinbake {

// Four significant digits, the same on every machine: "0.0273", "3.6e-08".
std::string short_number(double value);

// `unit`: "m", "m3", "rad", "1" (a ratio, shown as %) or empty (a count). No value: "not a number".
std::string with_unit(std::optional<double> value, std::string_view unit);

// The unit of a number or a series of a section.
std::string_view unit_of(const SectionView& section, std::string_view name);

// "frame 30, vertex 12"; "" if it is nowhere. Without the joint, whose name may be anything.
std::string place_text(const std::optional<PlaceView>& place);

enum class Outcome { kPassed, kWarned, kFailed };
Outcome outcome_of(const Check& check);

// "fail", "warn", "pass" or "none": the worst of the reports'.
std::string worst_verdict(std::span<const ReportView> reports);

// Of a run: the worst of the limits that it exceeds.
Outcome outcome_of(const ReportView& report, const MeshView& mesh, const RunView& run);

// What a check found of each method, the worst first.
std::span<const Check> methods_of(const Check& check);

// "exceeded 3 times, by lbs (5 %), cor (0.99 %) and 3 more"; empty: once at the most. `name` makes
// of a method's name what may be shown.
std::string exceeded_text(const Check& check, std::string (*name)(std::string_view));

// "--fail-max 0.01 m".
std::string limit_text(const Check& check);

// "0.0273 m", or that no mesh has it.
std::string value_text(const Check& check);

// "mesh 'arm', clip 'bend', dqs, frame 42, vertex 7"; why, if no mesh has the value.
std::string check_place_text(const Check& check);

// "1 mesh", "3 meshes".
std::string counted(std::size_t count, std::string_view one, std::string_view many);

// What is worst of all runs in a number of a section: the run, and its mesh; null: there is none.
struct WorstNumber {
  const MeshView* mesh = nullptr;
  const RunView* run = nullptr;
  const NumberView* number = nullptr;
};
WorstNumber worst_of(const ReportView& report, std::string_view section, std::string_view number);

// The joint that loses most; null: there is none.
const JointView* worst_joint(const RunView& run);

// A number of a section, with its unit and its place.
struct Measured {
  const SectionView* section = nullptr;
  const NumberView* number = nullptr;
};
// "48 fps is the lowest usual rate that stays within 0.002 m between frames".
std::string fps_text(const SufficientFps& sufficient);

// What other metrics than `error` and `volume` found.
std::vector<Measured> other_numbers(const RunView& run);

}  // namespace skinbake
