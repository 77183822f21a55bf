#include "caches/glb/checked_json.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "json/json_text.h"

namespace skinbake {

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 32;

std::uint32_t u32_at(const RandomAccessFile& file, std::uint64_t offset) {
  std::uint32_t value = 0;
  file.read_at(&value, sizeof value, offset);
  return value;
}

std::string read_text(const RandomAccessFile& file, std::uint64_t size) {
  std::string text(size, '\0');
  file.read_at(text.data(), text.size(), kGlbJsonOffset);
  return text;
}

void read_elements(const RandomAccessFile& file, const GlbDocument::Accessor& accessor,
                   const GlbErrorThrower& throw_error, void* elements) {
  const std::uint64_t count = accessor.stored_count();
  if (accessor.stream_bytes == 0) {
    file.read_at(elements, count * accessor.stride, accessor.values_offset);
    return;
  }
  std::vector<std::uint8_t> stream(accessor.stream_bytes);
  file.read_at(stream.data(), stream.size(), accessor.values_offset);
  if (!decode_meshopt(stream, {count, accessor.stride}, elements)) {
    throw_error("a meshopt stream", "is damaged");
  }
}

// Reads all components of the stored elements, padding included.
template <class T>
std::vector<T> read_components(const RandomAccessFile& file, const GlbDocument::Accessor& accessor,
                               const GlbErrorThrower& throw_error) {
  std::vector<T> components(accessor.stored_count() * accessor.stride / sizeof(T));
  read_elements(file, accessor, throw_error, components.data());
  return components;
}

template <class T>
void read_axes(const RandomAccessFile& file, const GlbDocument::Accessor& accessor,
               const GlbErrorThrower& throw_error, float* values) {
  const std::vector<T> components = read_components<T>(file, accessor, throw_error);
  const std::size_t step = accessor.stride / sizeof(T);
  for (std::size_t i = 0; i < components.size(); i += step) {
    for (std::size_t axis = 0; axis < 3; ++axis) *values++ = components[i + axis];
  }
}

}  // namespace

GlbDocument::GlbDocument(Json source, std::uint64_t bin_offset, std::uint64_t bin_bytes,
                         GlbErrorThrower throw_error)
    : json_(std::move(source)),
      bin_offset_(bin_offset),
      bin_bytes_(bin_bytes),
      throw_error_(std::move(throw_error)) {
  if (!json_.is_object() || !json_.contains("extensionsRequired")) return;
  for (const Json& required : array(json_, "extensionsRequired", "the file")) {
    is_quantized_ |= required == "KHR_mesh_quantization";
  }
}

void GlbDocument::fail(const std::string& element, const std::string& cause) const {
  throw_error_(element, cause);
  std::abort();  // unreachable: throw_error_ does not return
}

const Json& GlbDocument::member(const Json& object, const char* name,
                                const std::string& owner) const {
  if (!object.is_object()) fail(owner, "is not an object");
  const auto found = object.find(name);
  if (found == object.end()) fail(owner, std::string("does not have a member ") + name);
  return *found;
}

const Json& GlbDocument::array(const Json& object, const char* name,
                               const std::string& owner) const {
  const Json& value = member(object, name, owner);
  if (!value.is_array()) fail(owner, std::string(name) + " is not an array");
  return value;
}

std::uint64_t GlbDocument::integer(const Json& object, const char* name, std::uint64_t max,
                                   const std::string& owner) const {
  const Json& value = member(object, name, owner);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > max) {
    fail(owner, std::string(name) + " is not an integer from 0 to " + std::to_string(max));
  }
  return value.get<std::uint64_t>();
}

std::array<float, 3> GlbDocument::three_floats(const Json& object, const char* name,
                                               const std::string& owner) const {
  constexpr double kMaxFloat = std::numeric_limits<float>::max();
  const Json& source = array(object, name, owner);
  const std::string cause = std::string(name) + " does not consist of three finite floats";
  std::array<float, 3> numbers{};
  if (source.size() != numbers.size()) fail(owner, cause);
  for (std::size_t axis = 0; axis < numbers.size(); ++axis) {
    if (!source[axis].is_number() || !(std::abs(source[axis].get<double>()) <= kMaxFloat)) {
      fail(owner, cause);
    }
    numbers[axis] = static_cast<float>(source[axis].get<double>());
  }
  return numbers;
}

GlbGrid GlbDocument::grid(const Json& node, const std::string& owner) const {
  GlbGrid grid;
  grid.centre = three_floats(node, "translation", owner);
  const std::array<float, 3> scale = three_floats(node, "scale", owner);
  grid.scale = scale[0];
  if (scale[1] != scale[0] || scale[2] != scale[0] || !grid.fits_float()) {
    fail(owner, "does not have a uniform, positive scale that floats can represent");
  }
  return grid;
}

const Json& GlbDocument::buffer_view(std::uint64_t view, const std::string& owner) const {
  const Json& views = array(json_, "bufferViews", "the file");
  if (view >= views.size()) fail(owner, "names a bufferView that does not exist");
  return views[view];
}

// The offset in the file of byte `offset` of a view. Throws if the view does not have `bytes` bytes
// from there on.
std::uint64_t GlbDocument::file_offset(std::uint64_t view, std::uint64_t offset,
                                       std::uint64_t bytes, const std::string& owner) const {
  const Json& source = buffer_view(view, owner);
  const std::string name = "bufferView " + std::to_string(view);
  if (source.is_object() && source.contains("extensions")) fail(name, "has an extension");
  if (integer(source, "buffer", 0, name) != 0) fail(name, "refers to another buffer");
  const std::uint64_t first = integer(source, "byteOffset", bin_bytes_, name);
  const std::uint64_t length = integer(source, "byteLength", bin_bytes_ - first, name);
  if (offset > length || bytes > length - offset) fail(owner, "ends past " + name);
  return bin_offset_ + first + offset;
}

GlbDocument::Accessor GlbDocument::scalars(std::uint64_t index, const std::string& owner) const {
  return accessor(index, {"SCALAR", kComponentFloat, sizeof(float), sizeof(float)}, owner);
}

GlbDocument::Accessor GlbDocument::texcoords(std::uint64_t index, const std::string& owner) const {
  constexpr std::uint64_t kFloats = 2 * sizeof(float);
  return accessor(index, {"VEC2", kComponentFloat, kFloats, kFloats}, owner);
}

GlbDocument::Accessor GlbDocument::positions(std::uint64_t index, const std::string& owner) const {
  return vectors(index, is_quantized_, owner);
}

GlbDocument::Accessor GlbDocument::directions(std::uint64_t index, const std::string& owner) const {
  const Json& accessors = array(json_, "accessors", "the file");
  // Compared as JSON: converting a number such as 1e308 to an integer is undefined.
  const bool are_floats = index < accessors.size() && accessors[index].is_object() &&
                          accessors[index].contains("componentType") &&
                          accessors[index].at("componentType") == kComponentFloat;
  return vectors(index, is_quantized_ && !are_floats, owner);
}

GlbDocument::Accessor GlbDocument::tangents(std::uint64_t index, const std::string& owner) const {
  constexpr std::uint64_t kFloats = 4 * sizeof(float), kInt16s = kQuantizedVertexBytes;
  if (!is_quantized_) return accessor(index, {"VEC4", kComponentFloat, kFloats, kFloats}, owner);
  return accessor(index, {"VEC4", kComponentInt16, kInt16s, kInt16s}, owner);
}

GlbDocument::Accessor GlbDocument::vectors(std::uint64_t index, bool are_int16,
                                           const std::string& owner) const {
  constexpr std::uint64_t kFloats = kFloatVertexBytes, kInt16s = 3 * sizeof(std::int16_t);
  if (!are_int16) return accessor(index, {"VEC3", kComponentFloat, kFloats, kFloats}, owner);
  return accessor(index, {"VEC3", kComponentInt16, kQuantizedVertexBytes, kInt16s}, owner);
}

GlbDocument::Accessor GlbDocument::accessor(std::uint64_t index, const Format& format,
                                            const std::string& owner) const {
  const Json& accessors = array(json_, "accessors", "the file");
  if (index >= accessors.size()) fail(owner, "names an accessor that does not exist");
  const std::string name = "accessor " + std::to_string(index);
  const Json& source = accessors[index];
  const bool is_int16 = format.component_type == kComponentInt16;
  if (integer(source, "componentType", kComponentFloat, name) !=
          static_cast<std::uint64_t>(format.component_type) ||
      member(source, "type", name) != format.type || source.contains("extensions") ||
      source.value("normalized", false) != is_int16) {
    fail(name, "is not " + format.type + (is_int16 ? " of normalized int16" : " of float"));
  }
  Accessor accessor;
  accessor.is_float = !is_int16;
  accessor.count = integer(source, "count", kMaxElements, name);
  if (accessor.count == 0) fail(name, "does not have elements");
  if (source.contains("sparse")) {
    if (source.contains("bufferView")) fail(name, "is sparse and has a bufferView");
    accessor.stride = format.sparse_stride;
    read_sparse(source, format.sparse_stride, name, accessor);
  } else {
    accessor.stride = format.stride;
    read_dense(source, format, name, accessor);
  }
  return accessor;
}

void GlbDocument::read_dense(const Json& source, const Format& format, const std::string& owner,
                             Accessor& accessor) const {
  const std::uint64_t view = integer(source, "bufferView", kMaxElements, owner);
  const std::uint64_t offset =
      source.contains("byteOffset") ? integer(source, "byteOffset", bin_bytes_, owner) : 0;
  // Elements of a view without byteStride are contiguous. Elements of int16 are padded, so their
  // view must have a byteStride.
  const bool has_stride = is_quantized_ || buffer_view(view, owner).contains("byteStride");
  if (format.type != "SCALAR" && has_stride &&
      integer(buffer_view(view, owner), "byteStride", format.stride, owner) != format.stride) {
    fail(owner, "does not have a byteStride of " + std::to_string(format.stride));
  }
  const bool may_be_stream = is_quantized_ && format.type != "SCALAR" && offset == 0;
  if (may_be_stream && read_stream(view, owner, accessor)) return;
  accessor.values_offset = file_offset(view, offset, accessor.count * format.stride, owner);
}

// Reads the range of the meshopt stream. Returns false if the view is not compressed.
bool GlbDocument::read_stream(std::uint64_t view, const std::string& owner,
                              Accessor& accessor) const {
  const Json& source = buffer_view(view, owner);
  if (!source.contains("extensions")) return false;
  const std::string name = "bufferView " + std::to_string(view);
  const Json& stream = member(source["extensions"], "EXT_meshopt_compression", name);
  if (integer(stream, "buffer", 0, name) != 0) fail(name, "refers to another buffer");
  const std::uint64_t first = integer(stream, "byteOffset", bin_bytes_, name);
  accessor.stream_bytes = integer(stream, "byteLength", bin_bytes_ - first, name);
  accessor.values_offset = bin_offset_ + first;
  if (integer(stream, "byteStride", accessor.stride, name) != accessor.stride ||
      integer(stream, "count", kMaxElements, name) != accessor.count ||
      member(stream, "mode", name) != "ATTRIBUTES" || stream.contains("filter")) {
    fail(name, "is not a meshopt stream of the elements of " + owner);
  }
  if (accessor.count > accessor.stream_bytes * kMaxMeshoptRatio / accessor.stride) {
    fail(name, "has more elements than its stream can encode");
  }
  if (accessor.stream_bytes > max_meshopt_bytes({accessor.count, accessor.stride})) {
    fail(name, "has a larger stream than its elements can need");
  }
  return true;
}

void GlbDocument::read_sparse(const Json& source, std::uint64_t element_bytes,
                              const std::string& owner, Accessor& accessor) const {
  const Json& sparse = member(source, "sparse", owner);
  accessor.sparse_count = integer(sparse, "count", accessor.count, owner);
  if (accessor.sparse_count == 0) fail(owner, "lists no elements");
  const Json& indices = member(sparse, "indices", owner);
  const std::uint64_t index_type = integer(indices, "componentType", kComponentFloat, owner);
  if (index_type != kComponentUint16 && index_type != kComponentUint32) {
    fail(owner, "has indices that are neither uint16 nor uint32");
  }
  accessor.index_bytes = index_type == kComponentUint16 ? 2 : 4;
  accessor.indices_offset = file_offset(integer(indices, "bufferView", kMaxElements, owner),
                                        integer(indices, "byteOffset", bin_bytes_, owner),
                                        accessor.sparse_count * accessor.index_bytes, owner);
  const Json& values = member(sparse, "values", owner);
  accessor.values_offset = file_offset(integer(values, "bufferView", kMaxElements, owner),
                                       integer(values, "byteOffset", bin_bytes_, owner),
                                       accessor.sparse_count * element_bytes, owner);
}

GlbDocument read_glb_document(const RandomAccessFile& file, const GlbErrorThrower& throw_error) {
  const std::uint64_t size = file.size();
  if (size < kGlbJsonOffset + kGlbChunkHeaderBytes || u32_at(file, 0) != kGlbMagic ||
      u32_at(file, 4) != kGlbVersion || u32_at(file, 8) != size) {
    throw_error("the GLB header",
                "does not fit a glTF 2.0 file of " + std::to_string(size) + " bytes");
  }
  const std::uint64_t json_bytes = u32_at(file, kGlbJsonOffset - 8);
  if (u32_at(file, kGlbJsonOffset - 4) != kGlbJsonChunk || json_bytes > kMaxGlbJsonBytes ||
      json_bytes > size - kGlbJsonOffset - kGlbChunkHeaderBytes) {
    throw_error("the JSON chunk", "is not the first, ends past the file, or is too large");
  }
  const std::uint64_t bin = kGlbJsonOffset + json_bytes + kGlbChunkHeaderBytes;
  if (u32_at(file, bin - 4) != kGlbBinChunk || u32_at(file, bin - 8) != size - bin) {
    throw_error("the binary chunk",
                "does not follow the JSON chunk, or does not end with the file");
  }
  const std::string text = read_text(file, json_bytes);
  Json json;
  const JsonProblem problem = parse_text(text, json);
  if (problem) throw_error("the JSON text", problem.text);
  return {std::move(json), bin, size - bin, throw_error};
}

void read_glb_vectors(const RandomAccessFile& file, const GlbDocument::Accessor& accessor,
                      const GlbErrorThrower& throw_error, float* values) {
  if (accessor.is_float && accessor.stride == kFloatVertexBytes) {
    read_elements(file, accessor, throw_error, values);
  } else if (accessor.is_float) {
    read_axes<float>(file, accessor, throw_error, values);
  } else {
    read_axes<std::int16_t>(file, accessor, throw_error, values);
  }
}

std::vector<float> read_glb_signs(const RandomAccessFile& file,
                                  const GlbDocument::Accessor& accessor,
                                  const GlbErrorThrower& throw_error) {
  std::vector<float> signs;
  const auto append = [&](const auto& components, double unit) {
    for (std::size_t i = 3; i < components.size(); i += 4) {
      signs.push_back(static_cast<float>(components[i] / unit));
    }
  };
  if (accessor.is_float) {
    append(read_components<float>(file, accessor, throw_error), 1);
  } else {
    append(read_components<std::int16_t>(file, accessor, throw_error), kMaxInt16);
  }
  return signs;
}

std::vector<std::uint32_t> read_glb_indices(const RandomAccessFile& file,
                                            const GlbDocument::Accessor& accessor,
                                            const GlbErrorThrower& throw_error) {
  const std::uint64_t bytes = accessor.index_bytes;
  std::vector<char> stored(accessor.sparse_count * bytes);
  file.read_at(stored.data(), stored.size(), accessor.indices_offset);
  std::vector<std::uint32_t> indices(accessor.sparse_count);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    std::memcpy(&indices[i], stored.data() + i * bytes, bytes);  // little-endian
    if (indices[i] >= accessor.count) {
      throw_error("a sparse accessor", "has an index that is out of range");
    }
    if (i > 0 && indices[i] <= indices[i - 1]) {
      throw_error("a sparse accessor", "has indices that do not ascend");
    }
  }
  return indices;
}

}  // namespace skinbake
