// Correctives with the least largest error that is found, and their normals.

#pragma once

#include <memory>
#include <string>

#include "fit/correctives/search.h"
#include "skinbake/clip.h"

namespace skinbake::fit {

// ---- Normals of correctives: how a target turns the normals of the mesh.
//
// N = sum of (b - a) x (c - a) over the triangles a, b, c of a point is the direction of its
// normal, weighted by area. A displacement U changes it by
//
//     dN = sum of (dU_b - dU_a) x (c - a) + (b - a) x (dU_c - dU_a)
//
// so the unit normal n = N / |N| turns by the vector n x dN / |N|, and the mesh's own normal, which
// may differ from n, turns by the same. The triangles of a point contain one of the vertices with
// its position and normal.

// Sets the normals of the targets, and base_normals. Does nothing if the mesh does not have normals
// and triangles. The normals to which the targets are relative are of unit length, as glTF
// requires: where they are divided by a length, the targets of the vertex are too, so the direction
// of every sum stays.
void add_normals(const Rig& rig, AddedMorphs& morphs);

// ---- Correctives with the least largest error that is found.
//
// Eigenvectors leave the least sum of squares, not the least largest error. The vertices are
// therefore weighted by their errors, w <- w e, and the basis is computed again: Charles L. Lawson.
// Contributions to the Theory of Linear Least Maximum Approximation. 1961. The largest error need
// not fall in every iteration, so the best iterate is kept.

class CorrectiveFit {
 public:
  // At most `most` correctives. Arguments must outlive the fit.
  CorrectiveFit(const Problem& problem, std::size_t most, const Workers& workers);

  // `count` correctives, or fewer if `count` would leave a larger error than none.
  CorrectiveSearch::Result with_count(std::size_t count, const std::string& name);

  // The fewest correctives whose largest error is at most `limit_m`. If none are enough: the most,
  // without the last ones that bring no vertex nearer to its target.
  CorrectiveSearch::Result within(double limit_m, const std::string& name);

 private:
  // A basis, and the errors that it leaves.
  struct Candidate {
    Candidate(const Residuals& residuals, Basis found, const Workers& workers)
        : basis(std::move(found)), search(residuals, basis, workers) {}
    Basis basis;
    CorrectiveSearch search;
    double largest_error = 0;  // metres, of a refined one
  };

  // Returns the candidate with the least largest error of `count` correctives; stops at `enough_m`.
  std::unique_ptr<Candidate> refine(std::size_t count, double enough_m);

  // The number of unweighted correctives, at most `most`, that do not enlarge the error.
  std::size_t best_count(std::size_t most);

  // The most correctives, without the last ones that bring no vertex nearer to its target.
  CorrectiveSearch::Result nearest(const std::string& name);

  const Problem& problem_;
  const Workers& workers_;
  Residuals residuals_;
  std::unique_ptr<Candidate> unweighted_;
};

}  // namespace skinbake::fit
