// The residuals of one vertex in all frames, in posed space and before skinning:
//
//     d(f) = target(f) - linear(f)
//     r(f) = A(f)^-1 d(f)                A  the 3 x 3 part of sum_j w_j M_j
//
// Morph targets act before skinning: a displacement r(f) of the rest position moves the posed
// position by d(f). Where blending flattens the surface, as in the middle of a twist by half a
// turn, A is nearly singular and no displacement reaches d; r is then the least of a damped
// problem,
//
//     r = (A^T A + l I)^-1 A^T d         l = (0.05 |A|)^2 / 2
//
// which stays bounded. So it is where r would be ten times as long as the mesh, and as d before a
// uniform scale of the size of A.

#pragma once

#include <cstdint>
#include <vector>

#include "fit/parallel.h"
#include "fit/problem.h"

namespace skinbake::fit {

struct VertexResiduals {
  explicit VertexResiduals(std::size_t frames);

  std::size_t frame_count;
  std::vector<double> map;    // [column][row][frame] A
  std::vector<double> posed;  // [axis][frame] d, metres
  std::vector<double> rest;   // [axis][frame] r, in units of the rest positions
  double largest = 0;         // |d| of the worst frame
  // sum |d|^2 / sum |r|^2 over the frames: about the square of the scale of A; 0: no residual.
  double posed_per_rest = 0;
};

// Whether linear blending flattens the surface at a vertex: its map is nearly singular (the least
// singular value is below some twentieth of the greatest), and its determinant is below a fortieth
// of those of the joints that are blended. A thin scale, which all joints share, flattens nothing.
bool is_flattened(const Problem& problem, const ClipFrames& clip, std::size_t frame, VertexIndex v,
                  const Affine<double>& map);

// Computes the residuals of vertex v in the frames of all clips, one clip after another. `longest`:
// of a displacement before skinning that is not damped, if d is short.
void compute_residuals(const Problem& problem, VertexIndex v, double longest, VertexResiduals& out);

// The residuals of all vertices. They are computed once and kept, if they are few; otherwise every
// pass over the vertices computes them again.
class Residuals {
 public:
  // `problem` must outlive the object.
  Residuals(const Problem& problem, const Workers& workers);

  const Problem& problem() const { return problem_; }

  // `scratch`: of the calling thread; it may get the result.
  const VertexResiduals& of(VertexIndex v, VertexResiduals& scratch) const;

 private:
  const Problem& problem_;
  double longest_ = 0;  // displacement before skinning that is not damped, if d is short
  std::vector<VertexResiduals> kept_;  // [vertex] empty: too many
};

// Residuals up to this part of the diagonal are rounding errors of methods in float32.
inline constexpr double kRounding = 5e-7;

}  // namespace skinbake::fit
