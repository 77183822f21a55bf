// From the joints and weights of a file to the influences of rig.h: positive, each joint once,
// descending, of sum 1.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// The influences of all vertices, laid out as in Rig.
struct Influences {
  std::vector<std::uint32_t> first_influence{0};
  std::vector<Influence> influences;
  std::vector<std::uint32_t> first_listed;
  std::vector<double> weight_sums;
};

// What was wrong with the weights of some vertices.
struct WeightFindings {
  std::int64_t renormalised = 0;           // vertices
  double least_sum = 1, greatest_sum = 1;  // of those
  std::int64_t negative = 0;               // weights
  std::int64_t zero = 0;                   // vertices without any weight
};

// Appends one vertex. `listed` is what the file says, in its order; it is used as scratch.
// Negative weights count as zero; equal joints are added up; without any weight the first listed
// joint takes the whole vertex. Weights must be finite, `listed` not empty.
void append_vertex(std::span<Influence> listed, Influences& influences, WeightFindings& findings);

// By weight; of equal weights the lower joint first.
void sort_descending(std::span<Influence> some);

// Rig::first_listed of a rig whose influences were changed: where the first listed joint of each
// vertex stands now; the heaviest if it moves the vertex no longer.
std::vector<std::uint32_t> first_listed_after(const Rig& before, const Rig& after);

}  // namespace skinbake
