// Runs a test with each instruction set that both the build and the processor support.

#pragma once

#include <doctest/doctest.h>

#include <string>

#include "bake/kernels/targets.h"

namespace skinbake::test {

// Forces each target in turn and calls visit(name). Afterwards restores the best target.
template <class Visit>
void for_each_simd_target(const Visit& visit) {
  struct Restore {
    ~Restore() { force_target(""); }
  } restore;
  const auto targets = supported_targets();
  REQUIRE(!targets.empty());
  for (const std::string& target : targets) {
    CAPTURE(target);
    force_target(target);
    visit(target);
  }
}

}  // namespace skinbake::test
