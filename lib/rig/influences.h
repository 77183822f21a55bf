// The influences of vertices: from the joints and weights of a file, and as engines change them at
// import.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// ---- Converts the joints and weights of a file to the influences of a Rig: positive, each joint
// once, descending by weight, with the sum 1.

// The influences of all vertices, in the layout of Rig.
struct Influences {
  std::vector<std::uint32_t> first_influence{0};
  std::vector<Influence> influences;
  std::vector<std::uint32_t> first_listed;
};

// Corrections that were made to the weights of a file.
struct WeightFindings {
  std::int64_t renormalised = 0;           // vertices
  double least_sum = 1, greatest_sum = 1;  // of the renormalised vertices
  std::int64_t negative = 0;               // weights
  std::int64_t zero = 0;                   // vertices whose weights are all zero
};

// Appends one vertex. `listed` is the influences of the file, in its order; its elements are
// overwritten. Negative weights count as zero; the weights of equal joints are added up; if all
// weights are zero, the first listed joint gets the weight 1. The order of different joints does
// not change the result. `one`: the sum of the weights of a vertex that does not need correction.
// Preconditions: weights are finite, `listed` is not empty.
void append_vertex(std::span<Influence> listed, Influences& influences, WeightFindings& findings,
                   double one = 1);

// Sorts by descending weight; of equal weights the lower joint comes first.
void sort_descending(std::span<Influence> influences);

// True if both have the same joints with the same weights in the same order.
bool are_equal(std::span<const Influence> a, std::span<const Influence> b);

// Returns Rig::first_listed for a rig whose influences were changed: the new position of the first
// listed joint of each vertex, or 0, the heaviest, if the joint no longer moves the vertex.
std::vector<std::uint32_t> first_listed_after(const Rig& before, const Rig& after);

// ---- Two operations that engines apply to the weights of a vertex at import: keeping the largest
// weights, and rounding them to small integers.
//
// Both functions preserve the conditions of Rig for the influences of the vertex.

// Keeps the `count` largest weights and divides them by their sum. Does nothing if there are not
// more than `count`.
void keep_largest(std::size_t count, std::vector<Influence>& influences);

// Rounds weights to k / levels with integers k whose sum is `levels` (the largest remainder
// method): weights are rounded down, and the remaining units go to the largest fractions, one unit
// each. Fractions within 1e-9 of the largest are ties, which the earlier influence wins. Weights of
// zero are removed.
void quantize_weights(int levels, std::vector<Influence>& influences);

}  // namespace skinbake
