// The sums that centres of rotation are made of (rotation_centres.h): nearly all of their bind
// time.

#pragma once

#include "methods/weight_pieces.h"

namespace skinbake {

// What a vertex gathers from the pieces of one pair: sum of s A x, and of s A, both over p_j p_k.
struct Gathered {
  Vec3<double> moment{0, 0, 0};
  double area = 0;
};

// Adds what a vertex of weights p_j and p_k gathers. The same bits on every instruction set. Pads
// `pieces`.
void gather(Pieces& pieces, double p_j, double p_k, Gathered& gathered);

}  // namespace skinbake
