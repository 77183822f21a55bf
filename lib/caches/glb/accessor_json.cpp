#include "caches/glb/accessor_json.h"

#include <utility>

namespace skinbake {

namespace {

using nlohmann::json;

json::array_t& array_of(json& document, const char* name) {
  json& list = document[name];
  if (!list.is_array()) list = json::array();
  return list.get_ref<json::array_t&>();
}

}  // namespace

json accessor_of(int component_type, std::uint64_t count, const char* type) {
  return {{"componentType", component_type}, {"count", count}, {"type", type}};
}

AccessorArrays::AccessorArrays(json& document)
    : accessors_(array_of(document, "accessors")), views_(array_of(document, "bufferViews")) {}

std::size_t AccessorArrays::add(json accessor) {
  accessors_.push_back(std::move(accessor));
  return accessors_.size() - 1;
}

std::size_t AccessorArrays::add_view(const BinRange& range, int target, int stride) {
  json::object_t view{{"buffer", 0}, {"byteOffset", range.offset}, {"byteLength", range.bytes}};
  if (stride != 0) view["byteStride"] = stride;
  if (target != 0) view["target"] = target;
  views_.push_back(std::move(view));
  return views_.size() - 1;
}

std::size_t AccessorArrays::add_compressed_view(const BinRange& stream, std::uint64_t elements,
                                                std::uint64_t element_bytes) {
  const std::uint64_t bytes = elements * element_bytes;
  const json compressed{{"buffer", 0},
                        {"byteOffset", stream.offset},
                        {"byteLength", stream.bytes},
                        {"byteStride", element_bytes},
                        {"mode", "ATTRIBUTES"},
                        {"count", elements}};
  views_.push_back({{"buffer", 1},
                    {"byteOffset", decoded_bytes_},
                    {"byteLength", bytes},
                    {"byteStride", element_bytes},
                    {"target", kVertexTarget},
                    {"extensions", {{"EXT_meshopt_compression", compressed}}}});
  decoded_bytes_ += bytes;
  return views_.size() - 1;
}

json sparse_of(const SparseValues& sparse) {
  return {{"count", sparse.count},
          {"indices",
           {{"bufferView", sparse.indices_view},
            {"byteOffset", sparse.indices_offset},
            {"componentType", sparse.index_type}}},
          {"values", {{"bufferView", sparse.values_view}, {"byteOffset", sparse.values_offset}}}};
}

}  // namespace skinbake
