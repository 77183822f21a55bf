// Numbers and sentences about reports that the pages and the terminal share. Names are inserted as
// they are: the caller escapes them for its medium. `digits`: significant digits of each number.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "report/report.h"

namespace skinbake {

inline constexpr int kPageDigits = 4, kTerminalDigits = 6;

// "0.0273", "3.6e-08"; "0" for -0. The same on every machine.
std::string short_number(double value, int digits = kPageDigits);

// "0.0273 m", "5 %", "0.25 m³". `unit`: to_string(Unit), empty for a count, or any other word. A
// missing value and NaN give "not a number".
std::string with_unit(std::optional<double> value, std::string_view unit, int digits = kPageDigits);
std::string with_unit(std::optional<double> value, Unit unit, int digits = kPageDigits);

// A number of an untrusted report as a count: 0 of what is below 1, at most 1e15.
std::size_t as_count(double value);

// "1 mesh", "3 meshes".
std::string counted(std::size_t count, std::string_view one, std::string_view many);

// The metric of a check that fails because a clip of the reference has no partner. It has no limit.
inline constexpr std::string_view kMissingClip = "clips.missing";

// The metric of a check that fails because a clip and its partner have other lengths. Its value is
// the count of frames that are not compared.
inline constexpr std::string_view kFramesLeftOut = "clips.frames_left_out";

// Whether a check has one of these metrics. In place of a mesh it has the path of the file.
bool is_clip_check(const Check& check);

// "error.max at most 0.01 m but for 1 % of the vertices".
std::string limit_text(const Check& check, int digits = kPageDigits);

// "0.0273 m", or "not measured".
std::string value_text(const Check& check, int digits = kPageDigits);

// "mesh 'arm', clip 'bend', dqs, arms up, frame 42, vertex 7"; the cause if no mesh has the value.
std::string place_text(const Check& check);
// "vertex 7", or "point 7000" for a point inside a face; empty: the place is not a vertex.
std::string vertex_text(const Check& check);

// "exceeded 3 times, by lbs (5 %), cor (0.99 %) and 3 more", of surfaces "exceeded in 3 clips";
// empty if the limit is exceeded at most once. `shown` prepares a method's name for the medium.
std::string exceeded_text(const Check& check, std::string (*shown)(std::string_view),
                          int digits = kPageDigits);

// "volume.max_loss at most 5 %, error.max at most 0.01 m".
std::string limits_text(const Recommendation& recommendation);

// "dqs is the cheapest method within volume.max_loss at most 5 %".
std::string recommendation_text(const Recommendation& recommendation);

// "dqs comes nearest, with volume.max_loss 6.1 % at mesh 'Body', clip 'Walk', frame 12"; empty if a
// method is within the limits.
std::string nearest_text(const Recommendation& recommendation);

// "knight, mesh 'Body', clip 'Walk', frame 12, joint 'elbow.l'"
std::string place_text(const WorstValue& worst);

// "vertex 12 (primitive 0, vertex 12), arms up, frame 3". `shown` prepares the name of the pose.
std::string place_text(const Explanation& explanation, std::string (*shown)(std::string_view));

// "90.0°, flipped, scale 2": the rotation of a joint relative to the heaviest joint.
std::string rotation_text(const ExplainedInfluence& influence);

}  // namespace skinbake
