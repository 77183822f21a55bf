#include "gltf/read/accessor.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

namespace skinbake::gltf {

const Format kVec3Format{AccessorType::kVec3, {ComponentType::kFloat}, "VEC3 of float"};
const Format kVectorsFormat{AccessorType::kVec3,
                            {ComponentType::kFloat},
                            "VEC3 of float",
                            {ComponentType::kByte, ComponentType::kUnsignedByte,
                             ComponentType::kShort, ComponentType::kUnsignedShort}};
const Format kMatrixFormat{AccessorType::kMat4, {ComponentType::kFloat}, "MAT4 of float"};
const Format kJointsFormat{
    AccessorType::kVec4,
    {ComponentType::kUnsignedByte, ComponentType::kUnsignedShort, ComponentType::kUnsignedInt},
    "VEC4 of unsigned byte or short"};
const Format kWeightsFormat{
    AccessorType::kVec4,
    {ComponentType::kFloat, ComponentType::kUnsignedByte, ComponentType::kUnsignedShort},
    "VEC4 of float, or of normalised unsigned byte or short"};
const Format kIndicesFormat{
    AccessorType::kScalar,
    {ComponentType::kUnsignedByte, ComponentType::kUnsignedShort, ComponentType::kUnsignedInt},
    "SCALAR of unsigned byte, short or int"};

namespace {

constexpr std::string_view kQuantisation = "KHR_mesh_quantization";

// Elements of a buffer, all within its bytes.
struct Elements {
  const std::uint8_t* data = nullptr;
  std::size_t stride = 0;
  std::size_t count = 0;
  ComponentType component_type = ComponentType::kNone;
  int components = 0;
  bool fractions = false;  // integers are normalised
};

std::size_t component_size(ComponentType type) {
  switch (type) {
    case ComponentType::kByte:
    case ComponentType::kUnsignedByte:
      return 1;
    case ComponentType::kShort:
    case ComponentType::kUnsignedShort:
      return 2;
    default:
      return 4;
  }
}

// Completes `elements`, which does not have data and stride yet.
Elements located(Document& document, int view_index, std::uint64_t offset, Elements elements,
                 const Element& element) {
  const auto& view = document.model.buffer_views[static_cast<std::size_t>(view_index)];
  const ByteSpan bytes = view_bytes(document, view_index, element);
  const std::string view_name = "bufferView " + std::to_string(view_index);
  const std::size_t size =
      component_size(elements.component_type) * static_cast<std::size_t>(elements.components);
  elements.stride = view.byte_stride != 0 ? view.byte_stride : size;
  if (offset > bytes.size() || size > bytes.size() - offset ||
      (elements.count - 1) > (bytes.size() - offset - size) / elements.stride) {
    document.fail(
        "ACCESSOR_OUT_OF_RANGE", element,
        "has " + std::to_string(elements.count) + " elements, which end past " + view_name);
  }
  elements.data = bytes.data() + offset;
  if (elements.stride < size && elements.count > 1) {
    document.note("ELEMENTS_OVERLAP", "/bufferViews/" + std::to_string(view_index),
                  "elements of " + std::to_string(size) + " bytes every " +
                      std::to_string(elements.stride) + " bytes; read with this stride");
  }
  return elements;
}

void note_misalignment(Document& document, int index, const Model::Accessor& accessor) {
  const auto& view = document.model.buffer_views[static_cast<std::size_t>(accessor.buffer_view)];
  const std::size_t size = component_size(accessor.component_type);
  if ((accessor.byte_offset + view.byte_offset) % size == 0 && view.byte_stride % size == 0) return;
  document.note("ACCESSOR_MISALIGNED", "/accessors/" + std::to_string(index),
                "elements are not aligned to " + std::to_string(size) + " bytes; read correctly");
}

// Integers of at most 16 bits are exact as float, so only the quotient is rounded.
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

// check_format has ensured that floats do not become integers, nor 32-bit integers floats.
template <class To>
void copy_any(const Elements& from, To* out) {
  if (from.component_type == ComponentType::kFloat) {
    if constexpr (std::is_floating_point_v<To>) copy_elements<float>(from, out);
    return;
  }
  switch (from.component_type) {
    case ComponentType::kByte:
      return copy_elements<std::int8_t>(from, out);
    case ComponentType::kUnsignedByte:
      return copy_elements<std::uint8_t>(from, out);
    case ComponentType::kShort:
      return copy_elements<std::int16_t>(from, out);
    case ComponentType::kUnsignedShort:
      return copy_elements<std::uint16_t>(from, out);
    default:
      if constexpr (std::is_same_v<To, std::uint32_t>) copy_elements<std::uint32_t>(from, out);
  }
}

// Replaces the elements that the accessor's sparse part lists.
template <class T>
void patch(Document& document, const Model::Accessor& accessor, bool fractions,
           const Element& element, T* out) {
  const auto& sparse = accessor.sparse;
  const std::size_t count = sparse.count;
  const Element part{element.name + " (sparse)", element.pointer};
  const auto is_index_type = [&](ComponentType type) {
    return sparse.indices.component_type == type;
  };
  if (std::none_of(kIndicesFormat.component_types.begin(), kIndicesFormat.component_types.end(),
                   is_index_type)) {
    document.fail("ACCESSOR_FORMAT", part, "has indices of an unknown component type");
  }
  const Elements indices = located(document, sparse.indices.buffer_view, sparse.indices.byte_offset,
                                   {nullptr, 0, count, sparse.indices.component_type, 1}, part);
  const int width = component_count(accessor);
  const Elements values =
      located(document, sparse.values.buffer_view, sparse.values.byte_offset,
              {nullptr, 0, count, accessor.component_type, width, fractions}, part);
  std::vector<std::uint32_t> where(count);
  copy_any(indices, where.data());
  std::vector<T> what(count * static_cast<std::size_t>(width));
  copy_any(values, what.data());
  std::int64_t unordered = 0;
  for (std::size_t i = 0; i < count; ++i) {
    unordered += i > 0 && where[i] <= where[i - 1];
    if (where[i] >= accessor.count) {
      document.fail(
          "INDEX_OUT_OF_RANGE", part,
          "replaces element " + std::to_string(where[i]) + " of " + std::to_string(accessor.count));
    }
    std::copy_n(&what[i * static_cast<std::size_t>(width)], width,
                out + where[i] * static_cast<std::size_t>(width));
  }
  if (unordered == 0) return;
  document.note("SPARSE_UNORDERED", part.pointer,
                part.name + ": " + std::to_string(unordered) +
                    " indices do not ascend; of equal indices the last one is used",
                unordered);
}

bool contains(const std::initializer_list<ComponentType>& types, ComponentType type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

bool allows(const Document& document, const Format& format, ComponentType component_type) {
  if (contains(format.component_types, component_type)) return true;
  const auto& used = document.model.extensions_used;
  const auto& required = document.model.extensions_required;
  return contains(format.quantised, component_type) &&
         (std::find(used.begin(), used.end(), kQuantisation) != used.end() ||
          std::find(required.begin(), required.end(), kQuantisation) != required.end());
}

}  // namespace

int component_count(const Model::Accessor& accessor) {
  switch (accessor.type) {
    case AccessorType::kScalar:
      return 1;
    case AccessorType::kVec2:
      return 2;
    case AccessorType::kVec3:
      return 3;
    case AccessorType::kVec4:
    case AccessorType::kMat2:
      return 4;
    case AccessorType::kMat3:
      return 9;
    case AccessorType::kMat4:
      break;
  }
  return 16;
}

void check_format(const Document& document, int index, const Format& format,
                  const Element& element) {
  document.require_element("accessors", index);
  const Model::Accessor& accessor = accessor_at(document, index);
  if (accessor.type != format.type || !allows(document, format, accessor.component_type)) {
    document.fail("ACCESSOR_FORMAT", element,
                  "uses accessor " + std::to_string(index) + ", which is not " + format.text);
  }
  if (accessor.count == 0) {
    document.fail("ACCESSOR_FORMAT", element,
                  "uses accessor " + std::to_string(index) + ", which does not have elements");
  }
}

namespace {

bool reads_fractions(const Model::Accessor& accessor, Integers integers) {
  return integers == Integers::kFractions || accessor.normalized;
}

// The elements in the accessor's bufferView. None: all elements are zeros.
std::optional<Elements> dense_elements(Document& document, int index, const Element& element,
                                       Integers integers) {
  const Model::Accessor& accessor = accessor_at(document, index);
  if (accessor.buffer_view < 0) return {};
  note_misalignment(document, index, accessor);
  return located(document, accessor.buffer_view, accessor.byte_offset,
                 {nullptr, 0, accessor.count, accessor.component_type, component_count(accessor),
                  reads_fractions(accessor, integers)},
                 element);
}

template <class T>
void copy_and_patch(Document& document, const Model::Accessor& accessor,
                    const std::optional<Elements>& dense, Integers integers, const Element& element,
                    T* out) {
  document.decoded += accessor.count * static_cast<std::size_t>(component_count(accessor));
  if (dense) {
    copy_any(*dense, out);
  } else {
    std::fill_n(out, accessor.count * static_cast<std::size_t>(component_count(accessor)), T{});
  }
  if (accessor.sparse.count == 0) return;
  patch(document, accessor, reads_fractions(accessor, integers), element, out);
}

}  // namespace

template <class T>
void decode(Document& document, int index, const Element& element, T* out, Integers integers) {
  const std::optional<Elements> dense = dense_elements(document, index, element, integers);
  copy_and_patch(document, accessor_at(document, index), dense, integers, element, out);
}

// The count is compared with the file before memory is allocated for it.
template <class T>
AlignedArray<T> decode_all(Document& document, int index, const Element& element,
                           Integers integers) {
  const Model::Accessor& accessor = accessor_at(document, index);
  const std::optional<Elements> dense = dense_elements(document, index, element, integers);
  AlignedArray<T> values(accessor.count * static_cast<std::size_t>(component_count(accessor)));
  copy_and_patch(document, accessor, dense, integers, element, values.data());
  return values;
}

template void decode(Document&, int, const Element&, float*, Integers);
template void decode(Document&, int, const Element&, double*, Integers);
template void decode(Document&, int, const Element&, std::uint32_t*, Integers);
template AlignedArray<float> decode_all(Document&, int, const Element&, Integers);
template AlignedArray<double> decode_all(Document&, int, const Element&, Integers);
template AlignedArray<std::uint32_t> decode_all(Document&, int, const Element&, Integers);

// A number is infinite or NaN if all bits of its exponent are ones. Without branches the compiler
// vectorises the loop.
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

ByteSpan checked_range(const Document& document, std::size_t buffer, std::uint64_t offset,
                       std::uint64_t length, const std::string& what, const Element& element) {
  document.require_element("buffers", static_cast<int>(buffer));
  const ByteSpan bytes = document.buffers[buffer];
  if (offset > bytes.size() || length > bytes.size() - offset) {
    document.fail("BUFFER_VIEW_OUT_OF_RANGE", element,
                  "uses " + what + ", which ends past its buffer");
  }
  return bytes.subspan(offset, length);
}

ByteSpan view_bytes(Document& document, int view, const Element& element) {
  document.require_element("bufferViews", view);
  const std::string name = "bufferView " + std::to_string(view);
  const auto compressed = document.meshopt_views.find(view);
  if (compressed == document.meshopt_views.end()) {
    const auto& plain = document.model.buffer_views[static_cast<std::size_t>(view)];
    return checked_range(document, static_cast<std::size_t>(plain.buffer), plain.byte_offset,
                         plain.byte_length, name, element);
  }
  MeshoptView& source = compressed->second;
  if (source.is_decoded) return source.decoded;
  const Element where{name,
                      "/bufferViews/" + std::to_string(view) + "/extensions/" + source.extension};
  const ByteSpan bytes = checked_range(document, source.buffer, source.byte_offset,
                                       source.byte_length, "compressed bytes", where);
  document.decoded += bytes.size() * kMostBytesPerByte;
  document.storage.push_back(decode_meshopt(document, source, bytes, where));
  source.decoded = {document.storage.back().data(), document.storage.back().size()};
  source.is_decoded = true;
  return source.decoded;
}

}  // namespace skinbake::gltf
