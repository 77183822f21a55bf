// Compressed buffer views and primitives, made with the encoders of the libraries.

#pragma once

#include <string>

#include "support/gltf_file.h"

namespace skinbake::test {

// Where the stream of a packed view came to lie, so that a test can damage it.
struct Packed {
  std::size_t offset = 0;
  std::size_t size = 0;
};

struct Packing {
  std::string mode = "ATTRIBUTES";
  std::size_t stride = 0;
  std::string extension = "EXT_meshopt_compression";
};

// Packs a view with meshoptimizer and moves it to a fallback buffer that has no bytes.
Packed pack_view(GltfFile& file, int view, const Packing& packing);

// The same for bytes that a filter's encoder made.
Packed add_packed_view(GltfFile& file, const std::string& bytes, const Packing& packing,
                       const std::string& filter);

// Gives the file its two buffers: the real one, and the fallback. After the last packing.
void finish_packing(GltfFile& file);

// Packs a primitive's attributes with Draco, without quantisation, and takes their buffer views
// away. The triangles come out of `indices`.
Packed pack_primitive(GltfFile& file, int primitive, const std::vector<std::uint32_t>& indices,
                      bool edgebreaker);

}  // namespace skinbake::test
