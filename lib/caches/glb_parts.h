// Accessors and bufferViews of a baked GLB's JSON, numbered as they are added.

#pragma once

#include <cstdint>
#include <string>

#include "caches/glb_layout.h"
#include "caches/glb_numbers.h"
#include "json/json_writer.h"

namespace skinbake {

inline constexpr int kVertexTarget = 34962, kIndexTarget = 34963;  // a bufferView's target
inline constexpr int kPositionBytes = 3 * sizeof(float);

class GlbParts {
 public:
  GlbParts();

  int view(const GlbView& view, int target = 0, int stride = 0);

  // Elements that are compressed.
  int packed_view(const GlbView& view, std::uint64_t elements, std::uint64_t element_bytes);
  std::uint64_t unpacked_bytes() const { return unpacked_bytes_; }  // of all of those

  // An accessor: the caller adds what is particular and calls close(), which numbers it.
  JsonWriter& open(int component_type, std::int64_t count, const std::string& type);
  int close();
  void bounds(const GlbBounds& bounds);

  struct Sparse {
    std::int64_t count;
    int indices, index_type;
    std::uint64_t indices_offset;
    int values;
    std::uint64_t values_offset;
  };
  void sparse(const Sparse& s);

  int plain(int view, int component_type, std::int64_t count, const std::string& type);

  // Both arrays, as members of the object that is open.
  void write(JsonWriter& json);

 private:
  JsonWriter accessors_, views_;
  int accessor_count_ = 0, view_count_ = 0;
  std::uint64_t unpacked_bytes_ = 0;
};

}  // namespace skinbake
