// One frame after another of a `quantize=1` GLB: numbers become places on a lattice, and those the
// elements of a target.

#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned_array.h"
#include "caches/glb_layout.h"

namespace skinbake {

// One attribute in all frames, and the lattice that it is rounded to.
struct GlbLatticed {
  GlbStream& stream;
  const FrameSource& frames;
  GlbLattice lattice;
  bool may_be_wide;       // else what lies beyond the lattice does so by a rounding
  std::vector<int> base;  // frame 0's places: [vertex][axis]
};

// What one frame becomes, of all primitives: the bytes, and the targets that lie in them.
struct QuantisedFrame {
  std::vector<GlbTarget> targets;
  std::vector<char> bytes;
  std::vector<char> wide;  // apart, if they are not compressed
};

// Quantises frame after frame; one for each thread.
class FrameQuantiser {
 public:
  // Both outlive this.
  FrameQuantiser(const GlbMesh& mesh, const GlbLatticed& attribute, bool packs);

  // Places of a frame: [vertex][axis].
  const std::vector<int>& read(std::int64_t frame);

  // `base`: frame 0's places, which are taken off; null: this is frame 0, and all is kept.
  void quantise(std::int64_t frame, const std::vector<int>* base, QuantisedFrame& out);

 private:
  GlbTarget set_ways(std::span<const int> places, const int* base);
  void add_wide(const float* row, const int* base, GlbTarget& target, QuantisedFrame& out);
  void add_elements(GlbTarget& target, QuantisedFrame& out);
  void store(const void* data, std::size_t element_bytes, GlbTarget& target,
             std::vector<char>& plain, std::vector<char>& streams);

  const GlbMesh& mesh_;
  const GlbLatticed& attribute_;
  bool packs_;
  AlignedArray<float> row_;
  std::vector<int> places_;
  std::vector<int> ways_;               // of the primitive in turn
  int farthest_ = 0;                    // |way| along an axis
  std::vector<std::int16_t> elements_;  // likewise
  std::vector<float> floats_;           // likewise
  std::vector<std::uint8_t> stream_;
};

}  // namespace skinbake
