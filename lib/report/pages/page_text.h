// Values, places and verdicts of a parsed report, in words that all pages share. Names are not
// escaped. Texts that the terminal prints too are in report/report_text.h.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/read/parsed_report.h"
#include "report/report_text.h"

namespace skinbake {

// ---- Values and places

// The unit of a number or a series of a section, for with_unit().
std::string_view unit_of(const ParsedSection& section, std::string_view name);

// "arms up, frame 30, vertex 12"; empty without a place. The joint's name is not included. `shown`
// prepares the name of the pose for the medium.
std::string place_text(const std::optional<ParsedPlace>& place,
                       std::string (*shown)(std::string_view));

// "rest pose" for the empty id.
std::string_view clip_text(const std::string& clip);

// "points are paired by surface: there are 3273 and 2037 vertices, which do not pair"; empty if
// vertices are paired by index.
std::string match_text(const ParsedReport& report);

// "placed at bind by joint 'hips': by the heaviest, 'head', the files would be 0.2 m (10 %) apart,
// …"; empty unless the heaviest joint of two surfaces does not place them.
std::string placement_text(const ParsedReport& report);

// "2 frames that only one side has are not compared", of all clips of two surfaces; empty if both
// have all frames.
std::string left_out_text(const ParsedReport& report);

// "48 fps is the lowest usual rate that stays within 0.002 m between frames".
std::string fps_text(const SufficientFps& sufficient);

// A number of a run's section; null: absent.
// The report that another one follows: of two reports of one command, the first. Null: there is
// none.
const ParsedReport* report_before(std::span<const ParsedReport> reports,
                                  const ParsedReport& report);

// The run of another report with the same mesh, clip and method. Null: there is none, or no report.
const ParsedRun* same_run(const ParsedReport* report, const ParsedMesh& mesh, const ParsedRun& run);

const ParsedNumber* number_of(const ParsedRun& run, std::string_view section,
                              std::string_view number);

// The run with the largest value of a number; null pointers: no run has the number.
struct WorstNumber {
  const ParsedMesh* mesh = nullptr;
  const ParsedRun* run = nullptr;
  const ParsedNumber* number = nullptr;
};
WorstNumber worst_of(const ParsedReport& report, std::string_view section, std::string_view number);

// The joint with the largest loss of volume; null: the run does not have joints with a volume.
const ParsedJoint* worst_joint(const ParsedRun& run);

// A number and its section.
struct Measured {
  const ParsedSection* section = nullptr;
  const ParsedNumber* number = nullptr;
};

// The numbers of all metrics other than `error` and `volume`.
std::vector<Measured> other_numbers(const ParsedRun& run);

// ---- Verdicts

// A criterion that a run passes or fails without a threshold: whether a method is recommended,
// whether thresholds catch moved vertices, whether an output was read back within its bound, or,
// for a diff without thresholds, whether there is any difference.
struct Verdict {
  std::string name;  // "--recommend --max-volume-loss 5 %"
  std::string text;  // "no method is within the limits"
  bool passed = false;
};
std::vector<Verdict> verdicts_of(const ParsedReport& report);

// The verdicts on outputs that were read back. Every one passed: a run with a failed verification
// does not write a report.
std::vector<Verdict> verification_verdicts(const ParsedReport& report);

// The status of one check: kPass, kWarn or kFail.
VerdictStatus status_of(const Check& check);

// The worst status of the checks that one run exceeds.
VerdictStatus status_of(const ParsedReport& report, const ParsedMesh& mesh, const ParsedRun& run);

// The worst status of the report's checks and verdicts.
VerdictStatus status_of(const ParsedReport& report);

// The worst status of several reports.
VerdictStatus worst_status(std::span<const ParsedReport> reports);

// The check of each method, the worst first.
std::span<const Check> methods_of(const Check& check);

}  // namespace skinbake
