// Shared parts of the contract tests: all methods, and the check of declared properties.

#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "skinbake/methods.h"
#include "skinbake/rig.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"

namespace skinbake::test {

// The values that are tested: all choices of a word, the limits of a number.
inline std::vector<std::string> values_of(const MethodParameter& parameter) {
  std::vector<std::string> values;
  if (parameter.choices.empty() && !parameter.names_method) {
    const auto add = [&](double end, bool open) {
      char digits[32];
      const auto last = std::to_chars(digits, digits + sizeof digits, end).ptr;
      if (!open && std::isfinite(end)) values.emplace_back(digits, last);
    };
    add(parameter.lowest, parameter.above_lowest);
    add(parameter.highest, parameter.below_highest);
    return values;
  }
  std::string words = range_of(parameter);
  for (std::size_t bar = 0; bar != std::string::npos;) {
    bar = words.find('|');
    values.push_back(words.substr(0, bar));
    if (bar != std::string::npos) words.erase(0, bar + 1);
  }
  return values;
}

// Every method with its defaults, and with one parameter at another value.
inline std::vector<Method> every_method() {
  std::vector<Method> all;
  for (const MethodInfo& info : methods()) {
    all.push_back(parse_method(info.id));
    for (const MethodParameter& parameter : info.parameters) {
      for (const std::string& value : values_of(parameter)) {
        if (value == default_of(parameter)) continue;
        // Many iterations shrink these small rigs to a line, whose corners do not have frames.
        // delta_mush_test.cpp tests them on a larger mesh.
        if (info.id == "dm" && parameter.name == "iterations" && value != "0") continue;
        all.push_back(
            parse_method(std::string(info.id) + ":" + std::string(parameter.name) + "=" + value));
      }
    }
  }
  return all;
}

// Calls visit(method, name) for each; failures print the name.
template <class Visit>
void for_each_method(const Visit& visit) {
  for (const Method& method : every_method()) {
    const std::string name = method.canonical();
    CAPTURE(name);
    visit(method, name);
  }
}

// The greatest distance between two results, in double, and in float.
struct Differences {
  double exact = 0, rounded = 0;
};
inline Differences worse(const Differences& a, const Differences& b) {
  return {std::max(a.exact, b.exact), std::max(a.rounded, b.rounded)};
}

// Asserts a declared property. Demonstrates, by far more than rounding, that a property which is
// not declared does not hold: for default parameters, and for parameters that change the
// properties.
inline void check(const Method& method, Property property, const Differences& worst,
                  const Differences& tolerance) {
  constexpr double kVisible = 1e-4;
  if (method.keeps() & property) {
    CHECK(worst.exact < tolerance.exact);
    CHECK(worst.rounded < tolerance.rounded);
  } else if (method.canonical() == method.info().id || method.keeps() != method.info().keeps) {
    CHECK(worst.exact > kVisible);
  }
}

inline Vec3<double> rest(const Rig& rig, VertexIndex v) {
  const float* p = rig.mesh->positions.data() + std::size_t{v} * 3;
  return {p[0], p[1], p[2]};
}

// The tolerance for float: coordinates stay below 8 m, where half a unit in the last place
// is 2.4e-7. The longest computation, jst's chain of matrices, rounds some twenty times.
inline constexpr double kRounding = 20 * 2.4e-7;

// The rigs with which every method is tested, and the number of frames of their clips.
inline const RandomShape kShapes[] = {{.seed = 70}, {.seed = 71, .scale_spread = 0.4}};
inline constexpr int kClipFrames = 20;

// The greatest differences between a capture and expected(frame, vertex).
template <class Expected>
Differences differences(const Capture& capture, std::int64_t frames, VertexIndex vertices,
                        const Expected& expected) {
  Differences worst;
  for (std::int64_t f = 0; f < frames; ++f) {
    for (VertexIndex v = 0; v < vertices; ++v) {
      const Vec3<double> e = expected(f, v);
      worst.exact = std::max(worst.exact, distance(capture.exact_at(f, v), e));
      worst.rounded = std::max(worst.rounded, distance(capture.at(f, v), e));
    }
  }
  return worst;
}

}  // namespace skinbake::test
