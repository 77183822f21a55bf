// The table of issue codes: what can be said of an input without ending the run.
// A code never changes its meaning; README.md in this folder is generated from it.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "skinbake/error.h"

namespace skinbake {

// X(code, severity, what to do about it)
#define SKINBAKE_ISSUES(X)                                                                       \
  X(ACCESSOR_MISALIGNED, kInfo, "re-export; the data is read all the same")                      \
  X(ANIMATION_BYTE_STRIDE, kInfo, "animation data should be packed; it is read with its stride") \
  X(ATTRIBUTE_IGNORED, kWarning, "check that nothing but looks depends on it")                   \
  X(BASELINE_DEGENERATE, kWarning, "the bind matrix has no inverse; raw positions are measured") \
  X(BIND_CACHE_DAMAGED, kWarning, "it is replaced; if it happens again, give another folder")    \
  X(BIND_CACHE_NOT_WRITTEN, kWarning, "give a folder that can be written; the run is unharmed")  \
  X(CHANNEL_IGNORED, kWarning, "point the channel at a node and a path that glTF defines")       \
  X(CLIP_EMPTY, kWarning, "the clip has no usable channel; the rest pose is baked")              \
  X(CUBIC_KEY_MISSING, kInfo, "a single key has no tangents; its value is held")                 \
  X(EXTENSION_IGNORED, kWarning, "check that it does not change geometry, skin or animation")    \
  X(INVERSE_BIND_MISSING, kInfo, "the specification says identity")                              \
  X(INVERSE_BIND_UNUSABLE, kInfo, "no vertex uses the joint; identity is taken")                 \
  X(JOINTS_WITHOUT_SKIN, kInfo, "the node has no skin; joints and weights are not used")         \
  X(KEY_TIMES_REPEATED, kInfo, "the last of equal keys counts")                                  \
  X(NO_VOLUME, kWarning, "no closed or nearly closed part; volume is not measured")              \
  X(MORPH_WEIGHTS_COUNT, kWarning, "missing weights are zero, others are ignored")               \
  X(NORMALS_MISSING, kInfo, "flat normals are not computed for caches without normals")          \
  X(NORMALS_NOT_FINITE, kWarning, "set to zero")                                                 \
  X(PRIMITIVE_EMPTY, kWarning, "without positions nothing can be baked")                         \
  X(QUATERNION_NOT_UNIT, kInfo, "normalised")                                                    \
  X(SURFACE_NOT_CLOSED, kInfo, "holes are capped for the volume")                                \
  X(TRIANGLE_DEGENERATE, kInfo, "left out of the measurements")                                  \
  X(TRIANGLES_INCOMPLETE, kWarning, "the corners that are left over are not used")               \
  X(WEIGHTS_MISSING, kWarning, "export weights; the first joint takes the whole vertex")         \
  X(WEIGHTS_NEGATIVE, kWarning, "clamped to zero")                                               \
  X(WEIGHTS_RENORMALISED, kWarning, "normalise weights at export")                               \
  X(WEIGHTS_ZERO, kWarning, "paint weights; the first listed joint takes the whole vertex")

enum class IssueCode {
#define SKINBAKE_ISSUE_ENUM(code, severity, remedy) code,
  SKINBAKE_ISSUES(SKINBAKE_ISSUE_ENUM)
#undef SKINBAKE_ISSUE_ENUM
};

struct IssueInfo {
  std::string_view code;
  Severity severity;
  std::string_view remedy;
};

// The table, in the order of IssueCode.
std::span<const IssueInfo> issue_table();

// An issue with its severity from the table.
Issue make_issue(IssueCode code, std::string file, std::string pointer, std::string message,
                 std::int64_t count = 1);

}  // namespace skinbake
