// Appends accessors of vectors, one for each vertex of a primitive.

#pragma once

#include <vector>

#include "gltf/write/document_writer.h"
#include "skinbake/rig.h"

namespace skinbake::gltf {

// Whether the accessor states its least and greatest values, as glTF requires of positions.
enum class Bounds { kNo, kYes };

// Appends the values of the primitive's vertices. `values`: [vertex of the mesh][axis]. Returns the
// accessor's index.
std::size_t add_vectors(DocumentWriter& writer, const std::vector<float>& values,
                        const Primitive& vertices, Bounds bounds);

enum class DisplacementsOf { kPositions, kNormals };

// The same as a sparse accessor, which stores only vectors that are not zero, where it is smaller:
// compressed streams are always dense. Accessors of positions have bounds. With
// ChangeEncoding::quantize, vectors of integers are stored as integers; normals only as fractions,
// because KHR_mesh_quantization requires it.
std::size_t add_displacements(DocumentWriter& writer, const std::vector<float>& values,
                              const Primitive& vertices, DisplacementsOf of);

}  // namespace skinbake::gltf
