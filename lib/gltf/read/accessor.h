// Decodes the numbers of accessors of any component type, stride and alignment, sparse or dense.
//
// Offset, stride and count are compared with the available bytes before anything is read.

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "gltf/document/document.h"

namespace skinbake::gltf {

// The format that the use of an accessor requires.
struct Format {
  AccessorType type;
  std::initializer_list<ComponentType> component_types;
  const char* text;  // "VEC3 of float"
  // Additional component types with KHR_mesh_quantization.
  std::initializer_list<ComponentType> quantised = {};
};

extern const Format kVec3Format, kVectorsFormat, kMatrixFormat, kJointsFormat, kWeightsFormat,
    kIndicesFormat;

// The conversion of integers to floating-point numbers.
enum class Integers {
  kFractions,  // c / 255, max(c / 127, -1), …, even if the accessor is not normalised
  kAsDeclared  // fractions if the accessor is normalised, otherwise the integers
};

inline const Model::Accessor& accessor_at(const Document& document, int index) {
  return document.model.accessors[static_cast<std::size_t>(index)];
}

// Throws Error (kInput, ACCESSOR_FORMAT) unless the accessor has the format and at least one
// element.
void check_format(const Document& document, int index, const Format& format,
                  const Element& element);

// Decodes all elements into `out`, shape [count][components]. T: float, double or uint32_t.
// Throws Error (kInput) if elements end past their bufferView.
template <class T>
void decode(Document& document, int index, const Element& element, T* out,
            Integers integers = Integers::kFractions);

// Allocates memory, then decodes all elements: shape [count][components].
template <class T>
AlignedArray<T> decode_all(Document& document, int index, const Element& element,
                           Integers integers = Integers::kFractions);

// Whether no number is infinite or NaN.
bool all_finite(const float* values, std::size_t count);
bool all_finite(const double* values, std::size_t count);

int component_count(const Model::Accessor& accessor);

// The greatest compression of meshopt: a vertex stream has at least two bits for each group of 16
// bytes, an index stream at least one byte for each triangle or index.
inline constexpr std::uint64_t kMostBytesPerByte = 64;

// Returns the bytes of a buffer view, decoded if a meshopt extension compresses them.
ByteSpan view_bytes(Document& document, int view, const Element& element);

// Returns a range of a buffer. Throws Error (kInput, BUFFER_VIEW_OUT_OF_RANGE) if it ends past the
// buffer; `what` names the range.
ByteSpan checked_range(const Document& document, std::size_t buffer, std::uint64_t offset,
                       std::uint64_t length, const std::string& what, const Element& element);

// Decodes the primitives of a mesh that KHR_draco_mesh_compression compresses. They get plain
// accessors, and strips become lists of triangles.
void decompress_primitives(Document& document, int mesh);

// Returns the count * byte_stride decoded bytes of a view. Counts are checked before memory is
// allocated.
Bytes decode_meshopt(Document& document, const MeshoptView& view, ByteSpan source,
                     const Element& element);

}  // namespace skinbake::gltf
