// The error that functions of a basis leave, with weights as they are written.

#pragma once

#include <optional>
#include <vector>

#include "fit/correctives/residuals.h"
#include "fit/parallel.h"
#include "fit/problem.h"
#include "skinbake/clip.h"

namespace skinbake::fit {

// ---- The weights of targets as they are written: keys in float32 between 0 and 1, because some
// programs clamp weights. A target whose weight runs from a to b is scaled by b - a,
//
//     v(f) U = (a + key(f) (b - a)) U      key = (v - a) / (b - a),  T = (b - a) U
//
// and the part a U moves into the rest positions. The key of the rest, -a / (b - a), removes it
// again where no clip moves the target.

struct WrittenWeights {
  double range = 0;         // b - a: the factor of the target
  float rest = 0;           // key
  std::vector<float> keys;  // [frame]

  // The keys less the key at rest, [frame]: the factors of the written target.
  std::vector<double> factors() const;
};

WrittenWeights write_weights(const Basis& basis, std::size_t function);

// ---- The error after skinning that the first K functions of a basis leave, for every K. It is
// computed from the numbers that are written: targets and keys in float32.

class CorrectiveSearch {
 public:
  // Arguments must outlive the search.
  CorrectiveSearch(const Residuals& residuals, const Basis& basis, const Workers& workers);

  // The largest distance, in metres, of a vertex from its target in any frame with the first
  // `count` targets. Computes further targets if needed. Precondition: count <= basis.count.
  double largest_error(std::size_t count);

  // The same for each vertex, [vertex]. Cheaper than largest_error() for few counts.
  std::vector<double> vertex_errors(std::size_t count);

  // The least count from `least` on whose largest error is at most `limit_m`; none: no count up to
  // the size of the basis.
  std::optional<std::size_t> find_count(double limit_m, std::size_t least);

  // The first `count` targets, without targets that do not move a vertex, and the keys of the rest,
  // [frame of all clips][target].
  struct Result {
    AddedMorphs morphs;
    std::vector<float> keys;
  };
  // `name`: targets are called name.0, name.1 …
  Result result(std::size_t count, const std::string& name);

 private:
  bool moves(const VertexResiduals& residuals) const;
  void append_targets(std::size_t count);
  void compute_targets(std::size_t count);
  void compute_next_errors();
  // [target][frame] of the first `count` targets.
  std::vector<std::vector<double>> factors_of(std::size_t count) const;

  const Residuals& residuals_;
  const Problem& problem_;
  const Basis& basis_;
  const Workers& workers_;
  std::vector<WrittenWeights> weights_;      // [target]
  std::vector<std::vector<float>> targets_;  // [target][vertex][axis]
  std::vector<double> errors_;               // [count] 0 …, as far as computed
};

}  // namespace skinbake::fit
