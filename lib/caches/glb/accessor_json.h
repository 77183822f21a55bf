// The accessors and buffer views of a baked GLB, as JSON.

#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "caches/glb/encoding.h"
#include "caches/glb/layout.h"

namespace skinbake {

inline constexpr int kVertexTarget = 34962;  // of a bufferView

nlohmann::json accessor_of(int component_type, std::uint64_t count, const char* type);

// The arrays `accessors` and `bufferViews` of a document.
class AccessorArrays {
 public:
  // The document must outlive the object.
  explicit AccessorArrays(nlohmann::json& document);

  // Append an element. Return its index.
  std::size_t add(nlohmann::json accessor);
  std::size_t add_view(const BinRange& range, int target = 0, int stride = 0);
  // The view of a meshopt stream. Its decoded elements have a range in the fallback buffer.
  std::size_t add_compressed_view(const BinRange& stream, std::uint64_t elements,
                                  std::uint64_t element_bytes);
  std::uint64_t decoded_bytes() const { return decoded_bytes_; }  // of all compressed views

 private:
  nlohmann::json::array_t &accessors_, &views_;
  std::uint64_t decoded_bytes_ = 0;
};

// Where the listed values of a sparse accessor are.
struct SparseValues {
  std::uint64_t count = 0;
  std::size_t indices_view = 0;
  int index_type = kComponentUint32;
  std::uint64_t indices_offset = 0;
  std::size_t values_view = 0;
  std::uint64_t values_offset = 0;
};

nlohmann::json sparse_of(const SparseValues& sparse);

}  // namespace skinbake
