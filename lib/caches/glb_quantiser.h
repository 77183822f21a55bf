// One attribute of a `quantize=1` GLB: blocks of frames become the bytes of morph targets.
//
// A target is a difference of places on the lattice, not the place of a difference: added to frame
// 0 it gives the place that is nearest, so that two roundings cost no more than one.

#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "base/aligned_array.h"
#include "caches/glb_deltas.h"
#include "caches/glb_meshopt.h"
#include "frames/places.h"

namespace skinbake {

// One attribute in the frames of one block, until it is in the file.
struct QuantisedBlock {
  // `shorts`: [frame][vertex][kShortsPerPlace], to be filled; they must stay until the block is in
  // the file, with meshopt=1 until `finish`, so that attributes may share them.
  QuantisedBlock(const GlbMesh& mesh, std::int16_t* shorts);

  std::vector<GlbTarget> targets;  // [frame][primitive]; offsets from where the block's bytes begin
  std::vector<GlbRun> dense, wide;  // what they show, in their order; or …
  std::vector<char> streams;        // … with meshopt=1, these

  std::int16_t* rows;
  std::vector<PlaceRange> ranges;  // [primitive]
  std::mutex mutex;                // of the ranges: tiles come from several threads
  std::vector<float> floats;  // of wide targets: [target][vertex][axis]; with meshopt=1, of one
};

class GlbQuantiser {
 public:
  enum class Ways { kShort, kMaybeWide };  // whether one may be longer than a short can say

  // `mesh` outlives this. `packs`: meshopt=1.
  GlbQuantiser(const GlbMesh& mesh, const GlbLattice& lattice, Ways ways, bool packs);

  // Frame 0, [vertex][axis]: to be known before the first block is taken.
  void set_base(std::span<const float> row);

  // What frame 0 has besides, in the place of the gap: [vertex], 1 or -1, or 0 for none.
  void set_signs(std::vector<float> signs) { signs_ = std::move(signs); }

  // The base's elements, likewise. Sets the bounds of primitives if they are wanted, and with
  // meshopt=1 the places of their streams.
  std::vector<char> base_bytes(std::vector<GlbView>& packed,
                               std::vector<GlbPrimitive>* bounded) const;

  // Some vertices in all frames: [vertex][axis][frame], from the first of them. By several threads.
  void take(VertexRange vertices, const float* lanes, QuantisedBlock& block) const;

  // Once all are taken: makes the targets of the lanes from `first` to `end`. `lanes`: of the whole
  // mesh, if ways may be wide.
  void finish(int first, int end, const float* lanes, QuantisedBlock& block) const;

 private:
  struct Place {
    std::size_t primitive;
    int frame;
  };
  void add_target(Place place, const float* lanes, QuantisedBlock& block) const;
  void add_wide(Place place, const float* lanes, GlbTarget& target, QuantisedBlock& block) const;
  void pack(const void* data, const MeshoptElements& elements, GlbView& packed,
            std::vector<char>& streams) const;
  // Of one frame. What is reserved and not used costs nothing; what grows by copying does.
  std::size_t most_stream_bytes() const;
  std::size_t vertex_count() const { return base_.size() / 3; }

  const GlbMesh& mesh_;
  GlbLattice lattice_;
  Ways ways_;
  bool packs_;
  std::vector<std::int32_t> base_;  // places: [vertex][axis]
  std::vector<float> signs_;        // empty: there are none
};

}  // namespace skinbake
