// The skinning methods, their parameters and their properties.

#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skinbake {

struct Rig;

// Properties of methods. The contract tests assert every property that a method declares, and
// demonstrate that it does not have the others.
enum Property : std::uint32_t {
  kKeepsBindPose = 1u << 0,      // in the bind pose no vertex moves
  kKeepsRigidMotion = 1u << 1,   // a rigid motion of all joints moves the mesh rigidly
  kKeepsOrigin = 1u << 2,        // the result does not depend on the origin of bind space
  kKeepsSingleJoint = 1u << 3,   // a vertex with one influence follows the joint's matrix
  kKeepsCommonMatrix = 1u << 4,  // if all joints have one matrix, the mesh has it too
  kKeepsOneMap = 1u << 5,        // vertices of equal weights are moved by one affine map
  kKeepsDistances = 1u << 6,     // that map is rigid where no joint is scaled
  kKeepsHalfTurns = 1u << 7,     // no vertex jumps when a joint passes half a turn
  kKeepsZeroScales = 1u << 8,    // no vertex jumps when a joint's scale passes through zero
};
inline constexpr int kPropertyCount = 9;

// All methods are continuous in time except at these two events. Methods that extract rotations
// from the joints' matrices jump there: half a turn has two directions, and the rotation of a
// matrix changes where its determinant passes through zero. Methods without rotations have both
// properties.
inline constexpr std::uint32_t kContinuity = kKeepsHalfTurns | kKeepsZeroScales;

// The name of one property: "bind pose". Empty for a combination of several.
std::string_view name_of(Property property);

// A parameter of a method: a choice of words or a number.
struct MethodParameter {
  std::string_view name;
  std::string_view help;          // one line
  std::string_view choices = {};  // "max-weight|first|temporal", default first; empty: a number
  double initial = 0;             // a number's default
  double lowest = 0, highest = 0;
  bool above_lowest = false, below_highest = false;  // true: the limit itself is not allowed
  bool whole = false;                                // only whole numbers are allowed
  int multiple_of = 1;                               // of whole numbers, only multiples of it
  // The value is the id of a method; a value that is not given is the first method.
  bool names_method = false;
  // The default is `auto`, which is kFollowsMesh: a number that is chosen for each mesh (on_mesh).
  bool follows_mesh = false;
};
inline constexpr double kFollowsMesh = -1;

// The effect of a parameter's value on a method's properties.
struct MethodSetting {
  std::string_view setting;            // "scale=origin"
  std::uint32_t gains = 0, loses = 0;  // sets of Property
};

struct MethodInfo {
  std::string_view id;         // "dqs": the name that parse_method takes
  std::string_view title;      // "dual quaternion linear blend"
  std::string_view source;     // authors, title, year
  std::string_view preserves;  // one line: properties in the words of users
  std::uint32_t keeps = 0;     // set of Property, with every parameter at its default
  std::span<const MethodParameter> parameters = {};  // in the order of canonical names
  std::span<const MethodSetting> settings = {};
  // The conflict between values that are each in range: "kappa must be below lambda"; empty: none.
  // May be null.
  std::string_view (*conflict)(std::span<const double> values) = nullptr;
  bool takes_joint_parameters = false;
  // Replaces values that are kFollowsMesh by values for a mesh whose joints have so many points
  // (region_points). Null: no parameter follows the mesh.
  void (*follow_mesh)(int region_points, std::span<double> values) = nullptr;
};

// All methods, in the order shown to users. Thread-safe.
std::span<const MethodInfo> methods();

// The cost of a method relative to linear blending, with its parameters at their defaults. Zero:
// not measured. The numbers are a committed table (tests/benchmarks/README.md).
double relative_cost(const MethodInfo& info);
// The processor and the instruction set on which the costs were measured.
std::string_view costs_measured_on();

// A method with its parameters.
struct Method {
  int index = 0;  // into methods()
  // [parameter] A number's value. A word's index among the choices, or, if the word spells a
  // number, that number ("1" of "1|0" is 1). A method id's index into methods().
  std::vector<double> values;

  const MethodInfo& info() const { return methods()[static_cast<std::size_t>(index)]; }
  std::string canonical() const;  // "dqs:sign=temporal": the parameters not at their defaults
  std::uint32_t keeps() const;    // set of Property, with these parameters
  bool operator==(const Method&) const = default;
};

// Parses "dqs:sign=temporal,scale=vertex". Throws Error (kUsage: METHOD_UNKNOWN,
// METHOD_PARAMETER_UNKNOWN, METHOD_PARAMETER_INVALID), whose message lists the choices.
Method parse_method(std::string_view text);

// The first value of a method that is out of its range, or the conflict between several: "kappa is
// nan; it must be from 0 to 1". Empty: the method is valid, as every result of parse_method is.
// Precondition: `index` is an index into methods().
std::string fault_of(const Method& method);

// The allowed values: "from 0 to 200", "above 0 to 1", or the choices of a word.
std::string range_of(const MethodParameter& parameter);
// The default as text: "max-weight", "0.5".
std::string default_of(const MethodParameter& parameter);

// The size of a mesh's joints: a joint's region has as many points as the sum of its weights over
// welded points, and this is the lower median over the joints that have weight, rounded; at least
// 1. Its square root is the region's size in edges, whatever the unit and the shape of the mesh.
int region_points(const Rig& rig);

// The method with numbers for its parameters that follow the mesh, as it is evaluated on `rig`.
// parse_method takes its canonical name, which does not depend on the mesh any more.
Method on_mesh(const Method& method, const Rig& rig);

// The canonical name of on_mesh(method, rig); empty if the method does not choose a number.
std::string name_on_mesh(const Method& method, const Rig& rig);

// Numbers given for single joints: joint id -> parameter -> number. Joint ids: joint names;
// "#<node>" if several joints have the name.
using JointParameters = std::map<std::string, std::map<std::string, double>>;

}  // namespace skinbake
