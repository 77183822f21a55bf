// Residuals of vertices, and functions of time whose combinations are nearest to them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fit/parallel.h"
#include "fit/problem.h"

namespace skinbake::fit {

// ---- The residuals of one vertex in all frames, in posed space and before skinning:
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
// of the blended joints' determinants. A thin scale that all joints share flattens nothing.
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

// ---- The product R^T R of residual rows, summed in the order of the rows.

class Gram {
 public:
  explicit Gram(std::size_t size) : size_(size), lower_(size * size) {}

  // Adds `row_count` rows of `size` numbers.
  void add(const double* rows, std::size_t row_count, const Workers& workers);

  // [row][column]; the columns up to the row are valid.
  const std::vector<double>& lower() const { return lower_; }

 private:
  void add_block(const double* rows, std::size_t row_count, std::size_t begin, std::size_t end);

  std::size_t size_;
  std::vector<double> lower_;
};

// ---- Functions of time whose combinations are nearest to the residuals of all vertices.
//
// R has the residuals before skinning, 3 V rows of F frames; the rows of a vertex are scaled as
// skinning scales. The first K rows of the basis are the eigenvectors of the greatest eigenvalues
// of R^T R: they leave the least sum of squares of any K functions (Carl Eckart, Gale Young. The
// approximation of one matrix by another of lower rank. 1936). R^T R is summed in the order of the
// vertices, so it does not depend on the threads.

struct Basis {
  std::size_t frame_count = 0;
  std::size_t count = 0;
  // [function][frame] The weights of the targets in each frame.
  std::vector<double> weights;
  // [function][frame] Factors that give a target from the residuals of a vertex: U = sum_f p(f)
  // r(f).
  std::vector<double> projection;

  const double* weights_of(std::size_t k) const { return weights.data() + k * frame_count; }
  const double* projection_of(std::size_t k) const { return projection.data() + k * frame_count; }
};

// The frames that determine the functions, of so many: the most functions that there can be.
std::size_t basis_frames(std::size_t frames);

// Returns at most `most` functions, the most important one first. Their largest element is
// positive. `weights`: [vertex] factors of the squares of residuals; empty: 1.
Basis find_basis(const Residuals& residuals, std::size_t most, const Workers& workers,
                 const std::vector<double>& weights = {});

}  // namespace skinbake::fit
