// Quantizes the frames of one attribute of a mesh, for quantize=1.
//
// A target stores the difference of two quantized values, not the quantized difference. Added to
// frame 0 it gives the nearest point of the grid, so the error comes from one rounding, not two.

#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "base/containers.h"
#include "caches/glb/file.h"
#include "caches/kernels/kernels.h"

namespace skinbake {

// One attribute in the frames of a block. Not movable, because of the mutex.
struct QuantizedBlock {
  // `storage`: [frame][vertex][kShortsPerPosition], kept until the block is appended. With
  // meshopt=1 it is free again after `make_targets`, so all attributes share it.
  QuantizedBlock(const GlbMesh& mesh, std::int16_t* storage)
      : rows(storage), ranges(mesh.primitives.size()) {}

  std::vector<GlbTarget> targets;  // [frame][primitive]; offsets are relative to the block's bytes
  std::vector<MemoryRun> dense, float_runs;  // without meshopt: bytes of the targets
  std::vector<char> streams;                 // with meshopt=1: bytes of the targets

  std::int16_t* rows;
  std::vector<QuantizedRange> ranges;  // [primitive]
  std::mutex mutex;                    // of the ranges: threads quantize tiles at the same time
  std::vector<float> floats;  // of kFloat targets: [target][vertex][axis]; with meshopt=1, of one
};

// Quantizes one attribute of a mesh: frames of a block become morph targets.
class Quantizer {
 public:
  // kMayExceedInt16: a target whose displacements exceed int16 is stored as floats.
  enum class Displacements { kFitInt16, kMayExceedInt16 };

  // `mesh` must outlive the object. `compresses`: meshopt=1.
  Quantizer(const GlbMesh& mesh, const GlbGrid& grid, Displacements displacements, bool compresses)
      : mesh_(mesh),
        grid_(grid),
        may_exceed_int16_(displacements == Displacements::kMayExceedInt16),
        compresses_(compresses) {}

  // Quantizes frame 0: `row` is [vertex][axis]. Must be called before the first block is quantized.
  void set_base(std::span<const float> row) {
    base_.resize(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) base_[i] = grid_.quantized(row[i], i % kAxes);
  }

  // Sets w of the tangents, [vertex]: 1, -1, or 0 for a vertex without a tangent. It becomes the
  // fourth int16 of frame 0.
  void set_signs(std::vector<float> signs) { signs_ = std::move(signs); }

  // The bytes of frame 0. With meshopt=1, sets the ranges of the primitives' streams in them.
  // Sets the bounds of the primitives at `bounded`, which may be null.
  std::vector<char> base_bytes(std::vector<BinRange>& base_streams,
                               std::vector<GlbPrimitive>* bounded) const;

  // Quantizes some vertices in all frames of a block. `lanes`: [vertex][axis][frame], from the
  // first of these vertices. Thread-safe for disjoint vertices.
  void quantize(VertexRange vertices, const float* lanes, QuantizedBlock& block) const;

  // Makes the targets of frames `first` to `end` of the block, after all vertices are quantized.
  // `lanes`: of the whole mesh. They are read only if displacements may exceed int16.
  void make_targets(int first, int end, const float* lanes, QuantizedBlock& block) const;

 private:
  struct TargetIndex {
    std::size_t primitive;
    int frame;
  };

  // Fills [vertex][kInt16PerVertex] of a primitive. Returns the bounds of the stored integers.
  Box fill_base(const Primitive& vertices, std::vector<std::int16_t>& elements) const;

  void add_target(TargetIndex index, const float* lanes, QuantizedBlock& block) const;

  // Adds a target of floats: the displacements from quantized frame 0 to the exact vectors, rounded
  // to multiples of 2^-15. The error is as small as for grid points. The rounded floats have so few
  // bits that meshopt streams are half as large.
  void add_float_target(TargetIndex index, const float* lanes, GlbTarget& target,
                        QuantizedBlock& block) const;

  // The upper bound of the streams of one frame.
  std::size_t max_stream_bytes() const;

  // Appends a stream to `streams` and sets its range in them.
  void compress(const void* data, const MeshoptElements& elements, BinRange& range,
                std::vector<char>& streams) const;

  std::size_t vertex_count() const { return base_.size() / kAxes; }

  const GlbMesh& mesh_;
  GlbGrid grid_;
  bool may_exceed_int16_, compresses_;
  std::vector<std::int32_t> base_;  // [vertex][axis] quantized
  std::vector<float> signs_;        // empty: the attribute is not TANGENT
};

}  // namespace skinbake
