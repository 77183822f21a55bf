// The stream of computed frames.

#pragma once

#include "bake/block/baked_block.h"

namespace skinbake {

// One pass of a bake over all frames of its plan.
class BakeLoop final : public BlockLoop {
 public:
  BakeLoop(const Job& job, int threads, Pass pass, const SinksOfRuns& sinks);

 private:
  std::unique_ptr<BlockInFlight> new_block() override;
  void start(BlockInFlight& in_flight) override;
  void evaluate(BlockInFlight& in_flight) override;
  FrameBlock whole_block(const BlockInFlight& in_flight, std::size_t r) const override;

  // Whether blocks of this pass have exact positions, a reference method, or reference frames.
  bool has_exact() const { return job_.is_exact() && !is_prepass(); }
  bool has_method_reference() const { return job_.has_method_reference() && !is_prepass(); }
  bool has_reference_frames() const { return job_.has_reference_frames() && !is_prepass(); }

  void relax(BakedBlock& baked, std::size_t m) const;
  void evaluate_tile(BakedBlock& baked, VertexRange vertices);
  const float* positions_of(BakedBlock& baked, std::size_t m, VertexRange vertices,
                            float* scratch) const;
  const double* exact_positions_of(const BakedBlock& baked, std::size_t r, VertexRange vertices,
                                   TileScratch& scratch) const;
  Error non_finite_point(const BakedBlock& baked) const;

  const BakePlan& plan_;
  const Job& job_;
  std::optional<JointTracker> tracker_;  // advances from block to block, in their order
};

}  // namespace skinbake
