// Every instruction set that this build and this processor have in common, one after another.

#pragma once

#include <doctest/doctest.h>

#include <string>

#include "skinbake/bake.h"

namespace skinbake::test {

// Calls visit(name) with each target in force; afterwards the best one is in force again.
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
