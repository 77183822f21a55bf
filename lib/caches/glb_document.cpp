#include "caches/glb_document.h"

#include <cstdlib>
#include <utility>

namespace skinbake {

namespace {

using nlohmann::json;

constexpr int kFloat = 5126, kU32 = 5125, kU16 = 5123;
constexpr std::uint64_t kMostCount = std::uint64_t{1} << 32;

}  // namespace

GlbDocument::GlbDocument(json source, std::uint64_t bin_offset, std::uint64_t bin_bytes,
                         GlbRefusal refuse)
    : json_(std::move(source)),
      bin_offset_(bin_offset),
      bin_bytes_(bin_bytes),
      refuse_(std::move(refuse)) {}

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
  const json& views = array(json_, "bufferViews", "the file");
  if (view >= views.size()) fail(where, "names a bufferView that does not exist");
  const std::string name = "bufferView " + std::to_string(view);
  const json& source = views[view];
  if (source.is_object() && source.contains("extensions")) fail(name, "has an extension");
  if (number(source, "buffer", 0, name) != 0) fail(name, "is of another buffer");
  const std::uint64_t first = number(source, "byteOffset", bin_bytes_, name);
  const std::uint64_t length = number(source, "byteLength", bin_bytes_ - first, name);
  if (offset > length || bytes > length - offset) fail(where, "ends past " + name);
  return bin_offset_ + first + offset;
}

GlbDocument::Accessor GlbDocument::accessor(std::uint64_t index, const std::string& type,
                                            const std::string& where) const {
  const json& accessors = array(json_, "accessors", "the file");
  if (index >= accessors.size()) fail(where, "names an accessor that does not exist");
  const std::string name = "accessor " + std::to_string(index);
  const json& source = accessors[index];
  if (number(source, "componentType", kFloat, name) != kFloat ||
      member(source, "type", name) != type || source.contains("extensions")) {
    fail(name, "is not " + type + " of float");
  }
  Accessor accessor;
  accessor.count = number(source, "count", kMostCount, name);
  if (accessor.count == 0) fail(name, "has no elements");
  const std::uint64_t element_bytes = (type == "VEC3" ? 3 : 1) * sizeof(float);
  if (source.contains("sparse")) {
    if (source.contains("bufferView")) fail(name, "is sparse and has a bufferView");
    read_sparse(source, element_bytes, name, accessor);
    return accessor;
  }
  const std::uint64_t offset =
      source.contains("byteOffset") ? number(source, "byteOffset", bin_bytes_, name) : 0;
  accessor.values = place(number(source, "bufferView", kMostCount, name), offset,
                          accessor.count * element_bytes, name);
  return accessor;
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
