// What a vertex animation texture must know of all frames before it gets the first one: frame 0,
// and the box of all ways from there.

#pragma once

#include <string>

#include "base/aligned_array.h"
#include "caches/box.h"
#include "skinbake/frames.h"

namespace skinbake {

class VatSurvey final : public FrameSink {
 public:
  // `path`: for errors.
  VatSurvey(std::string path, std::size_t vertices);

  std::unique_ptr<BlockState> new_state() const override;
  void consume(const FrameBlock& tile, BlockState& state) override;
  void finish(const FrameBlock&, BlockState&) override {}
  void merge(const FrameBlock& block, BlockState& state) override;
  // Throws Error (kUsage) if a way is longer than a float can say.
  void end() override;

  const float* base() const { return base_.data(); }  // frame 0: [vertex][axis]
  const Box& box() const { return box_; }             // of all ways, each rounded to float
  double extent(std::size_t axis) const { return double{box_.max[axis]} - double{box_.min[axis]}; }
  float largest() const;  // coordinate of frame 0 and of the box, as a magnitude

 private:
  // The least and the largest of each number, [vertex][axis].
  struct Ranges {
    explicit Ranges(std::size_t size) : least(size), largest(size) {}
    AlignedArray<float> least, largest;
  };
  struct State;

  std::string path_;
  AlignedArray<float> base_;
  Ranges ranges_;
  Box box_;
};

}  // namespace skinbake
