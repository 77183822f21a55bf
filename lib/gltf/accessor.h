// Numbers out of accessors: any component type, stride and alignment, sparse or not.
//
// Nothing is read before offset, stride and count were held against the bytes that are there.

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "gltf/document.h"

namespace skinbake::gltf {

// What an accessor must be to serve a purpose.
struct Format {
  int type;  // TINYGLTF_TYPE_…
  std::initializer_list<int> component_types;
  const char* text;                           // "VEC3 of float"
  std::initializer_list<int> quantised = {};  // also these, with KHR_mesh_quantization
};

extern const Format kVec3Format, kVectorsFormat, kMatrixFormat, kJointsFormat, kWeightsFormat,
    kIndicesFormat;

// What integers stand for where numbers are wanted.
enum class Integers {
  kFractions,  // c / 255, max(c / 127, -1), …, whatever the accessor says
  kAsDeclared  // fractions if the accessor is normalised, else themselves
};

inline const tinygltf::Accessor& accessor_at(const Document& document, int index) {
  return document.model.accessors[static_cast<std::size_t>(index)];
}

bool has_buffer_view(const Document& document, const tinygltf::Accessor& accessor);

// Throws unless the accessor has the format, at least one element, and bytes behind it.
void check_format(const Document& document, int index, const Format& format,
                  const Element& element);

// All elements into `out`, shape [count][components]. T: float, double or uint32_t.
// The caller has reserved the memory of `out`; sparse parts reserve their own.
template <class T>
void decode(Document& document, int index, const Element& element, T* out,
            Integers integers = Integers::kFractions);

// Reserves, allocates, decodes.
template <class T>
AlignedArray<T> decode_all(Document& document, int index, const Element& element,
                           Integers integers = Integers::kFractions);

// Whether every number is neither infinite nor NaN.
bool all_finite(const float* values, std::size_t count);
bool all_finite(const double* values, std::size_t count);

int component_count(const tinygltf::Accessor& accessor);

}  // namespace skinbake::gltf
