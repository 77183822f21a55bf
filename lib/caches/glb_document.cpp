#include "caches/glb_document.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "caches/glb_meshopt.h"
#include "caches/glb_numbers.h"

namespace skinbake {

namespace {

using nlohmann::json;

constexpr std::uint64_t kMostCount = std::uint64_t{1} << 32;

}  // namespace

GlbDocument::GlbDocument(json source, std::uint64_t bin_offset, std::uint64_t bin_bytes,
                         GlbRefusal refuse)
    : json_(std::move(source)),
      bin_offset_(bin_offset),
      bin_bytes_(bin_bytes),
      refuse_(std::move(refuse)) {
  if (!json_.is_object() || !json_.contains("extensionsRequired")) return;
  for (const json& required : array(json_, "extensionsRequired", "the file")) {
    is_quantised_ |= required == "KHR_mesh_quantization";
  }
}

void GlbDocument::fail(const std::string& element, const std::string& cause) const {
  refuse_(element, cause);
  std::abort();  // it does not return
}

const json& GlbDocument::member(const json& object, const char* name,
                                const std::string& where) const {
  if (!object.is_object()) fail(where, "is not an object");
  const auto found = object.find(name);
  if (found == object.end()) fail(where, std::string("has no ") + name);
  return *found;
}

const json& GlbDocument::array(const json& object, const char* name,
                               const std::string& where) const {
  const json& value = member(object, name, where);
  if (!value.is_array()) fail(where, std::string(name) + " is not an array");
  return value;
}

std::uint64_t GlbDocument::number(const json& object, const char* name, std::uint64_t most,
                                  const std::string& where) const {
  const json& value = member(object, name, where);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most) {
    fail(where, std::string(name) + " is no integer from 0 to " + std::to_string(most));
  }
  return value.get<std::uint64_t>();
}

std::uint64_t GlbDocument::place(std::uint64_t view, std::uint64_t offset, std::uint64_t bytes,
                                 const std::string& where) const {
  const json& source = view_at(view, where);
  const std::string name = "bufferView " + std::to_string(view);
  if (source.is_object() && source.contains("extensions")) fail(name, "has an extension");
  if (number(source, "buffer", 0, name) != 0) fail(name, "is of another buffer");
  const std::uint64_t first = number(source, "byteOffset", bin_bytes_, name);
  const std::uint64_t length = number(source, "byteLength", bin_bytes_ - first, name);
  if (offset > length || bytes > length - offset) fail(where, "ends past " + name);
  return bin_offset_ + first + offset;
}

const json& GlbDocument::view_at(std::uint64_t view, const std::string& where) const {
  const json& views = array(json_, "bufferViews", "the file");
  if (view >= views.size()) fail(where, "names a bufferView that does not exist");
  return views[view];
}

std::array<float, 3> GlbDocument::three_floats(const json& object, const char* name,
                                               const std::string& where) const {
  constexpr double kFar = std::numeric_limits<float>::max();
  const json& source = array(object, name, where);
  std::array<float, 3> numbers{};
  if (source.size() != numbers.size()) fail(where, std::string(name) + " has not 3 numbers");
  for (std::size_t axis = 0; axis < numbers.size(); ++axis) {
    if (!source[axis].is_number() || !(std::abs(source[axis].get<double>()) <= kFar)) {
      fail(where, std::string(name) + " has not 3 numbers that are floats");
    }
    numbers[axis] = static_cast<float>(source[axis].get<double>());
  }
  return numbers;
}

GlbLattice GlbDocument::lattice(const json& node, const std::string& where) const {
  GlbLattice lattice;
  lattice.center = three_floats(node, "translation", where);
  const std::array<float, 3> scale = three_floats(node, "scale", where);
  lattice.scale = scale[0];
  if (scale[1] != scale[0] || scale[2] != scale[0] || !lattice.holds_floats()) {
    fail(where, "has no uniform scale, or is too large");
  }
  return lattice;
}

GlbDocument::Accessor GlbDocument::scalars(std::uint64_t index, const std::string& where) const {
  return accessor(index, {"SCALAR", kFloat, sizeof(float), sizeof(float)}, where);
}

GlbDocument::Accessor GlbDocument::texcoords(std::uint64_t index, const std::string& where) const {
  constexpr std::uint64_t kFloats = 2 * sizeof(float);
  return accessor(index, {"VEC2", kFloat, kFloats, kFloats}, where);
}

GlbDocument::Accessor GlbDocument::positions(std::uint64_t index, const std::string& where) const {
  return vectors(index, is_quantised_, where);
}

GlbDocument::Accessor GlbDocument::directions(std::uint64_t index, const std::string& where) const {
  const json& accessors = array(json_, "accessors", "the file");
  const bool are_floats =
      index < accessors.size() && accessors[index].value("componentType", kFloat) == kFloat;
  return vectors(index, is_quantised_ && !are_floats, where);
}

GlbDocument::Accessor GlbDocument::tangents(std::uint64_t index, const std::string& where) const {
  constexpr std::uint64_t kFloats = 4 * sizeof(float);
  if (!is_quantised_) return accessor(index, {"VEC4", kFloat, kFloats, kFloats}, where);
  return accessor(index, {"VEC4", kShort, kElementBytes, kElementBytes}, where);
}

GlbDocument::Accessor GlbDocument::vectors(std::uint64_t index, bool are_shorts,
                                           const std::string& where) const {
  constexpr std::uint64_t kFloats = 3 * sizeof(float), kShorts = 3 * sizeof(std::int16_t);
  if (!are_shorts) return accessor(index, {"VEC3", kFloat, kFloats, kFloats}, where);
  return accessor(index, {"VEC3", kShort, kElementBytes, kShorts}, where);
}

GlbDocument::Accessor GlbDocument::accessor(std::uint64_t index, const Format& format,
                                            const std::string& where) const {
  const json& accessors = array(json_, "accessors", "the file");
  if (index >= accessors.size()) fail(where, "names an accessor that does not exist");
  const std::string name = "accessor " + std::to_string(index);
  const json& source = accessors[index];
  const bool is_short = format.component_type == kShort;
  if (number(source, "componentType", kFloat, name) !=
          static_cast<std::uint64_t>(format.component_type) ||
      member(source, "type", name) != format.type || source.contains("extensions") ||
      source.value("normalized", false) != is_short) {
    fail(name, "is not " + format.type + (is_short ? " of normalised short" : " of float"));
  }
  Accessor accessor;
  accessor.is_float = !is_short;
  accessor.count = number(source, "count", kMostCount, name);
  if (accessor.count == 0) fail(name, "has no elements");
  if (source.contains("sparse")) {
    if (source.contains("bufferView")) fail(name, "is sparse and has a bufferView");
    accessor.stride = format.sparse_stride;
    read_sparse(source, format.sparse_stride, name, accessor);
    return accessor;
  }
  accessor.stride = format.stride;
  const std::uint64_t view = number(source, "bufferView", kMostCount, name);
  const std::uint64_t offset =
      source.contains("byteOffset") ? number(source, "byteOffset", bin_bytes_, name) : 0;
  // Without one, vectors of floats follow one another; those of shorts are filled up.
  const bool has_stride = is_quantised_ || view_at(view, name).contains("byteStride");
  if (format.type != "SCALAR" && has_stride &&
      number(view_at(view, name), "byteStride", format.stride, name) != format.stride) {
    fail(name, "has another stride than " + std::to_string(format.stride));
  }
  const bool may_be_packed = is_quantised_ && format.type != "SCALAR" && offset == 0;
  if (may_be_packed && read_packed(view, name, accessor)) return accessor;
  accessor.values = place(view, offset, accessor.count * format.stride, name);
  return accessor;
}

// False if the view is not compressed.
bool GlbDocument::read_packed(std::uint64_t view, const std::string& where,
                              Accessor& accessor) const {
  const json& source = view_at(view, where);
  if (!source.contains("extensions")) return false;
  const std::string name = "bufferView " + std::to_string(view);
  const json& packed = member(source["extensions"], "EXT_meshopt_compression", name);
  if (number(packed, "buffer", 0, name) != 0) fail(name, "is of another buffer");
  const std::uint64_t first = number(packed, "byteOffset", bin_bytes_, name);
  accessor.packed = number(packed, "byteLength", bin_bytes_ - first, name);
  accessor.values = bin_offset_ + first;
  if (number(packed, "byteStride", accessor.stride, name) != accessor.stride ||
      number(packed, "count", kMostCount, name) != accessor.count ||
      member(packed, "mode", name) != "ATTRIBUTES" || packed.contains("filter")) {
    fail(name, "is not a stream of the vectors of " + where);
  }
  if (accessor.count > accessor.packed * kMostBytesPerByte / accessor.stride) {
    fail(name, "has more elements than its stream can hold");
  }
  return true;
}

void GlbDocument::read_sparse(const json& source, std::uint64_t element_bytes,
                              const std::string& where, Accessor& accessor) const {
  const json& sparse = member(source, "sparse", where);
  accessor.sparse = number(sparse, "count", accessor.count, where);
  if (accessor.sparse == 0) fail(where, "lists no elements");
  const json& indices = member(sparse, "indices", where);
  const std::uint64_t index_type = number(indices, "componentType", kFloat, where);
  if (index_type != kU16 && index_type != kU32) fail(where, "has indices of another type");
  accessor.index_bytes = index_type == kU16 ? 2 : 4;
  accessor.indices = place(number(indices, "bufferView", kMostCount, where),
                           number(indices, "byteOffset", bin_bytes_, where),
                           accessor.sparse * accessor.index_bytes, where);
  const json& values = member(sparse, "values", where);
  accessor.values = place(number(values, "bufferView", kMostCount, where),
                          number(values, "byteOffset", bin_bytes_, where),
                          accessor.sparse * element_bytes, where);
}

}  // namespace skinbake
