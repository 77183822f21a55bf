// Compressed buffer views and primitives, made with the encoders of the libraries.

#pragma once

#include <string>

#include "support/gltf/gltf_file.h"

namespace skinbake::test {

// The location of a compressed view's stream, so that a test can damage it.
struct Packed {
  std::size_t offset = 0;
  std::size_t size = 0;
};

struct Packing {
  std::string mode = "ATTRIBUTES";
  std::size_t stride = 0;
  std::string extension = "EXT_meshopt_compression";
};

// Compresses a view with meshoptimizer and moves it to a fallback buffer without bytes.
Packed pack_view(GltfFile& file, int view, const Packing& packing);

// The same for bytes that the encoder of a filter has written.
Packed add_packed_view(GltfFile& file, const std::string& bytes, const Packing& packing,
                       const std::string& filter);

// Adds both buffers to the file: the one with data and the fallback. Call after the last
// compression.
void finish_packing(GltfFile& file);

// Compresses a primitive with Draco and removes the buffer views of its attributes. The triangles
// are those of `indices`. `bits` are those of each quantised float; 0: floats are not quantised.
Packed pack_primitive(GltfFile& file, int primitive, const std::vector<std::uint32_t>& indices,
                      bool edgebreaker, int bits = 0);

}  // namespace skinbake::test
