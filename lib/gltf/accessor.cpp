#include "gltf/accessor.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "gltf/compressed.h"

namespace skinbake::gltf {

const Format kVec3Format{TINYGLTF_TYPE_VEC3, {TINYGLTF_COMPONENT_TYPE_FLOAT}, "VEC3 of float"};
const Format kVectorsFormat{
    TINYGLTF_TYPE_VEC3,
    {TINYGLTF_COMPONENT_TYPE_FLOAT},
    "VEC3 of float",
    {TINYGLTF_COMPONENT_TYPE_BYTE, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE,
     TINYGLTF_COMPONENT_TYPE_SHORT, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT}};
const Format kMatrixFormat{TINYGLTF_TYPE_MAT4, {TINYGLTF_COMPONENT_TYPE_FLOAT}, "MAT4 of float"};
const Format kJointsFormat{
    TINYGLTF_TYPE_VEC4,
    {TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT,
     TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT},
    "VEC4 of unsigned byte or short"};
const Format kWeightsFormat{TINYGLTF_TYPE_VEC4,
                            {TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE,
                             TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT},
                            "VEC4 of float, or of normalised unsigned byte or short"};
const Format kIndicesFormat{
    TINYGLTF_TYPE_SCALAR,
    {TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT,
     TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT},
    "SCALAR of unsigned byte, short or int"};

namespace {

constexpr std::string_view kQuantisation = "KHR_mesh_quantization";

// Elements in a buffer: every one of them is inside.
struct Elements {
  const std::uint8_t* data = nullptr;
  std::size_t stride = 0;
  std::size_t count = 0;
  int component_type = 0;
  int components = 0;
  bool fractions = false;  // what integers are
};

std::size_t component_size(int component_type) {
  return static_cast<std::size_t>(
      tinygltf::GetComponentSizeInBytes(static_cast<std::uint32_t>(component_type)));
}

// `elements` has all but data and stride.
Elements located(Document& document, int view_index, std::uint64_t offset, Elements elements,
                 const Element& element) {
  const auto& view = document.model.bufferViews[static_cast<std::size_t>(view_index)];
  const ByteSpan bytes = view_bytes(document, view_index, element);
  const std::string view_name = "bufferView " + std::to_string(view_index);
  const std::size_t size =
      component_size(elements.component_type) * static_cast<std::size_t>(elements.components);
  elements.stride = view.byteStride != 0 ? view.byteStride : size;
  if (offset > bytes.size() || size > bytes.size() - offset ||
      (elements.count - 1) > (bytes.size() - offset - size) / elements.stride) {
    document.fail("ACCESSOR_OUT_OF_RANGE", element,
                  "has " + std::to_string(elements.count) + " elements, which end past " +
                      view_name + "; re-export the file");
  }
  elements.data = bytes.data() + offset;
  if (elements.stride < size && elements.count > 1) {
    document.note(IssueCode::ELEMENTS_OVERLAP, "/bufferViews/" + std::to_string(view_index),
                  "elements of " + std::to_string(size) + " bytes every " +
                      std::to_string(elements.stride) + " bytes; read as they lie");
  }
  return elements;
}

void note_misalignment(Document& document, int index, const tinygltf::Accessor& accessor) {
  const auto& view = document.model.bufferViews[static_cast<std::size_t>(accessor.bufferView)];
  const std::size_t size = component_size(accessor.componentType);
  if ((accessor.byteOffset + view.byteOffset) % size == 0 && view.byteStride % size == 0) return;
  document.note(
      IssueCode::ACCESSOR_MISALIGNED, "/accessors/" + std::to_string(index),
      "elements are not aligned to " + std::to_string(size) + " bytes; read all the same");
}

// An integer of at most 16 bits is exact as a float, so the quotient is rounded once.
template <class To, bool kFractions, class From>
To convert(From value) {
  if constexpr (std::is_floating_point_v<To> && std::is_integral_v<From> && kFractions) {
    const To number = static_cast<To>(value) / static_cast<To>(std::numeric_limits<From>::max());
    return std::is_signed_v<From> ? std::max(number, To{-1}) : number;
  } else {
    return static_cast<To>(value);
  }
}

template <class From, int kComponents, bool kFractions, class To>
void copy_elements(const Elements& from, To* out) {
  if constexpr (std::is_same_v<From, To>) {
    if (from.stride == sizeof(From) * kComponents) {
      std::memcpy(out, from.data, from.count * from.stride);
      return;
    }
  }
  const std::uint8_t* data = from.data;
  for (std::size_t i = 0; i < from.count; ++i, data += from.stride) {
    From values[kComponents];
    std::memcpy(values, data, sizeof values);
    for (int c = 0; c < kComponents; ++c) *out++ = convert<To, kFractions>(values[c]);
  }
}

template <class From, bool kFractions, class To>
void copy_widths(const Elements& from, To* out) {
  switch (from.components) {
    case 1:
      return copy_elements<From, 1, kFractions>(from, out);
    case 2:
      return copy_elements<From, 2, kFractions>(from, out);
    case 3:
      return copy_elements<From, 3, kFractions>(from, out);
    case 4:
      return copy_elements<From, 4, kFractions>(from, out);
    default:
      return copy_elements<From, 16, kFractions>(from, out);
  }
}

template <class From, class To>
void copy_elements(const Elements& from, To* out) {
  if constexpr (std::is_floating_point_v<To> && std::is_integral_v<From>) {
    if (from.fractions) return copy_widths<From, true>(from, out);
  }
  copy_widths<From, false>(from, out);
}

// The format was checked: floats never become integers, nor 32-bit integers floats.
template <class To>
void copy_any(const Elements& from, To* out) {
  if (from.component_type == TINYGLTF_COMPONENT_TYPE_FLOAT) {
    if constexpr (std::is_floating_point_v<To>) copy_elements<float>(from, out);
    return;
  }
  switch (from.component_type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
      return copy_elements<std::int8_t>(from, out);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      return copy_elements<std::uint8_t>(from, out);
    case TINYGLTF_COMPONENT_TYPE_SHORT:
      return copy_elements<std::int16_t>(from, out);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
      return copy_elements<std::uint16_t>(from, out);
    default:
      if constexpr (std::is_same_v<To, std::uint32_t>) copy_elements<std::uint32_t>(from, out);
  }
}

// Replaces the elements that the sparse part lists.
template <class T>
void patch(Document& document, const tinygltf::Accessor& accessor, bool fractions,
           const Element& element, T* out) {
  const auto& sparse = accessor.sparse;
  const auto count = static_cast<std::size_t>(sparse.count);
  if (count == 0) return;
  const Element part{element.name + " (sparse)", element.pointer};
  const auto is_index_type = [&](int type) { return sparse.indices.componentType == type; };
  if (std::none_of(kIndicesFormat.component_types.begin(), kIndicesFormat.component_types.end(),
                   is_index_type)) {
    document.fail("ACCESSOR_FORMAT", part,
                  "has indices of an unknown component type; re-export the file");
  }
  const Elements indices = located(document, sparse.indices.bufferView,
                                   static_cast<std::uint64_t>(sparse.indices.byteOffset),
                                   {nullptr, 0, count, sparse.indices.componentType, 1}, part);
  const int width = component_count(accessor);
  const Elements values = located(
      document, sparse.values.bufferView, static_cast<std::uint64_t>(sparse.values.byteOffset),
      {nullptr, 0, count, accessor.componentType, width, fractions}, part);
  document.reserve(count, sizeof(std::uint32_t) + static_cast<std::size_t>(width) * sizeof(T),
                   part);
  std::vector<std::uint32_t> where(count);
  copy_any(indices, where.data());
  std::vector<T> what(count * static_cast<std::size_t>(width));
  copy_any(values, what.data());
  std::int64_t unordered = 0;
  for (std::size_t i = 0; i < count; ++i) {
    unordered += i > 0 && where[i] <= where[i - 1];
    if (where[i] >= accessor.count) {
      document.fail("INDEX_OUT_OF_RANGE", part,
                    "replaces element " + std::to_string(where[i]) + " of " +
                        std::to_string(accessor.count) + "; re-export the file");
    }
    std::copy_n(&what[i * static_cast<std::size_t>(width)], width,
                out + where[i] * static_cast<std::size_t>(width));
  }
  if (unordered == 0) return;
  document.note(IssueCode::SPARSE_UNORDERED, part.pointer,
                part.name + ": " + std::to_string(unordered) +
                    " indices do not ascend; of equal ones the last counts",
                unordered);
}

bool contains(const std::initializer_list<int>& types, int type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

bool allows(const Document& document, const Format& format, int component_type) {
  if (contains(format.component_types, component_type)) return true;
  const auto& used = document.model.extensionsUsed;
  const auto& required = document.model.extensionsRequired;
  return contains(format.quantised, component_type) &&
         (std::find(used.begin(), used.end(), kQuantisation) != used.end() ||
          std::find(required.begin(), required.end(), kQuantisation) != required.end());
}

}  // namespace

int component_count(const tinygltf::Accessor& accessor) {
  return tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(accessor.type));
}

bool has_buffer_view(const Document& document, const tinygltf::Accessor& accessor) {
  return accessor.bufferView != document.no_view;
}

void check_format(const Document& document, int index, const Format& format,
                  const Element& element) {
  const tinygltf::Accessor& accessor = accessor_at(document, index);
  if (accessor.type != format.type || !allows(document, format, accessor.componentType)) {
    document.fail("ACCESSOR_FORMAT", element,
                  "uses accessor " + std::to_string(index) + ", which is not " + format.text +
                      "; re-export the file");
  }
  if (accessor.count == 0) {
    document.fail(
        "ACCESSOR_FORMAT", element,
        "uses accessor " + std::to_string(index) + ", which has no elements; re-export the file");
  }
}

template <class T>
void decode(Document& document, int index, const Element& element, T* out, Integers integers) {
  const tinygltf::Accessor& accessor = accessor_at(document, index);
  const int components = component_count(accessor);
  const bool fractions = integers == Integers::kFractions || accessor.normalized;
  if (has_buffer_view(document, accessor)) {
    copy_any(located(document, accessor.bufferView, accessor.byteOffset,
                     {nullptr, 0, accessor.count, accessor.componentType, components, fractions},
                     element),
             out);
    note_misalignment(document, index, accessor);
  } else {
    std::fill_n(out, accessor.count * static_cast<std::size_t>(components), T{});
  }
  if (accessor.sparse.isSparse) patch(document, accessor, fractions, element, out);
}

template <class T>
AlignedArray<T> decode_all(Document& document, int index, const Element& element,
                           Integers integers) {
  const tinygltf::Accessor& accessor = accessor_at(document, index);
  const auto components = static_cast<std::size_t>(component_count(accessor));
  document.reserve(accessor.count, components * sizeof(T), element);
  AlignedArray<T> values(accessor.count * components);
  decode(document, index, element, values.data(), integers);
  return values;
}

template void decode(Document&, int, const Element&, float*, Integers);
template void decode(Document&, int, const Element&, double*, Integers);
template void decode(Document&, int, const Element&, std::uint32_t*, Integers);
template AlignedArray<float> decode_all(Document&, int, const Element&, Integers);
template AlignedArray<double> decode_all(Document&, int, const Element&, Integers);
template AlignedArray<std::uint32_t> decode_all(Document&, int, const Element&, Integers);

// An exponent of all ones: no branch, so that the loop becomes vector code.
bool all_finite(const float* values, std::size_t count) {
  constexpr std::uint32_t kExponent = 0x7F800000;
  std::uint32_t bad = 0;
  for (std::size_t i = 0; i < count; ++i) {
    bad |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(values[i]) & kExponent) ==
                                      kExponent);
  }
  return bad == 0;
}

bool all_finite(const double* values, std::size_t count) {
  constexpr std::uint64_t kExponent = 0x7FF0000000000000;
  std::uint64_t bad = 0;
  for (std::size_t i = 0; i < count; ++i) {
    bad |= static_cast<std::uint64_t>((std::bit_cast<std::uint64_t>(values[i]) & kExponent) ==
                                      kExponent);
  }
  return bad == 0;
}

}  // namespace skinbake::gltf
