// One attribute of a primitive of a baked GLB, read frame by frame.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/random_access_file.h"
#include "caches/glb_document.h"

namespace skinbake {

// All accessors have as many vectors.
struct GlbAttribute {
  std::optional<GlbLattice> lattice;           // that base and targets are places on
  std::vector<float> base;                     // [vertex][axis]: frame 0
  std::vector<GlbDocument::Accessor> targets;  // [frame - 1]
  std::vector<float> signs;                    // [vertex] of tangents: their w

  // The vectors of a frame, [vertex][axis].
  void read(const RandomAccessFile& file, std::int64_t frame, const GlbRefusal& refuse,
            float* row) const;
};

// All vectors that an accessor has or lists, [vector][axis]; those of shorts as they are.
void read_glb_vectors(const RandomAccessFile& file, const GlbDocument::Accessor& accessor,
                      const GlbRefusal& refuse, float* values);

// The fourth numbers of all that a dense accessor of VEC4 has; those of shorts as fractions.
std::vector<float> read_glb_signs(const RandomAccessFile& file,
                                  const GlbDocument::Accessor& accessor, const GlbRefusal& refuse);

}  // namespace skinbake
