// The skinning methods there are, their parameters, and what each of them keeps.

#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skinbake {

// What a method keeps. The contract tests assert every one that a method declares and demonstrate
// every one that it does not.
enum Property : std::uint32_t {
  kKeepsBindPose = 1u << 0,      // in the bind pose every vertex is where it was
  kKeepsRigidMotion = 1u << 1,   // a rigid motion of all joints moves the mesh by it
  kKeepsOrigin = 1u << 2,        // the origin of bind space does not matter
  kKeepsSingleJoint = 1u << 3,   // a vertex of one joint follows its matrix
  kKeepsCommonMatrix = 1u << 4,  // equal matrices of all joints, scale and all, are that matrix
  kKeepsOneMap = 1u << 5,        // vertices of equal weights get one affine map
  kKeepsDistances = 1u << 6,     // … a rigid one: where no joint is scaled they keep distances
  kKeepsHalfTurns = 1u << 7,     // no vertex jumps when a joint passes half a turn
  kKeepsZeroScales = 1u << 8,    // … nor when a joint's scale passes through zero
};
inline constexpr int kPropertyCount = 9;

// Every method is continuous in time, but for these: one that does not keep them jumps there.
// A rotation is taken out of a joint's matrix, and half a turn has two ways round; a matrix that
// is flat has no rotation, and beyond it, mirrored, another one. Who needs no rotation keeps both.
inline constexpr std::uint32_t kContinuity = kKeepsHalfTurns | kKeepsZeroScales;

// One word or two for the lowest bit of `property`: "bind pose".
std::string_view name_of(Property property);

// A parameter of a method: a choice of words or a number.
struct MethodParameter {
  std::string_view name;
  std::string_view help;          // one line
  std::string_view choices = {};  // "max-weight|first|temporal", the default first; empty: a number
  double initial = 0;             // a number's default
  double lowest = 0, highest = 0;
  bool above_lowest = false, below_highest = false;  // the limit itself is out of range
  bool whole = false;                                // whole numbers only
  bool names_method = false;  // the id of a method; the default is the first of methods()
};

// What a parameter that is not at its default changes about what a method keeps.
struct MethodSetting {
  std::string_view setting;  // "scale=origin"
  std::uint32_t gains = 0, loses = 0;
};

// What is said of a method to users.
struct MethodInfo {
  std::string_view id;         // "dqs": what --method takes
  std::string_view title;      // "dual quaternion linear blend"
  std::string_view source;     // authors, title, year
  std::string_view preserves;  // one line: what it keeps and what it loses
  std::uint32_t keeps = 0;     // Property, with every parameter at its default
  std::span<const MethodParameter> parameters = {};  // in the order of canonical names
  std::span<const MethodSetting> settings = {};
  // What is wrong with values that are in range each, but not together: "kappa must be below
  // lambda"; empty if nothing. May be null.
  std::string_view (*conflict)(std::span<const double> values) = nullptr;
  bool takes_joint_parameters = false;
};

// Every method, in the order shown to users.
std::span<const MethodInfo> methods();

// How many times as long as linear blending a method takes, with its parameters at their defaults,
// and on what processor that was measured. Zero: not measured.
double relative_cost(const MethodInfo& info);
std::string_view costs_measured_on();

// A method chosen by the user: an index into methods(), and its parameters.
struct Method {
  int index = 0;
  // [parameter] A number's value; of a word its place among the choices, or, if it spells a number,
  // that number ("1" of "1|0" is 1); of a method's id its index.
  std::vector<double> values;

  const MethodInfo& info() const { return methods()[static_cast<std::size_t>(index)]; }
  std::string canonical() const;  // "dqs:sign=temporal": what differs from the defaults
  std::uint32_t keeps() const;    // Property, as its parameters are
  bool operator==(const Method&) const = default;
};

// "dqs:sign=temporal,scale=vertex" -> Method. Throws Error (kUsage), naming what there is.
Method parse_method(std::string_view text);

// "0 < kappa", "0 … 200": what a number may be; the choices of a word.
std::string range_of(const MethodParameter& parameter);
// "max-weight", "0.5".
std::string default_of(const MethodParameter& parameter);

// Numbers that a user gives for single joints: joint's name -> name -> number.
using JointParameters = std::map<std::string, std::map<std::string, double>>;

}  // namespace skinbake
