// The arrays `accessors` and `bufferViews` of a baked GLB's JSON.

#pragma once

#include <cstdint>
#include <string>

#include "caches/glb/encoding.h"
#include "caches/glb/write/layout.h"
#include "json/json_writer.h"

namespace skinbake {

// Values of a bufferView's target.
constexpr int kGlbVertexTarget = 34962, kGlbIndexTarget = 34963;

// The name of a mesh or a node in a part: "arm", "arm_2".
inline std::string part_name(const std::string& name, std::size_t part) {
  return part == 0 ? name : name + "_" + std::to_string(part + 1);
}

// Functions that add an element return its index.
class AccessorArrays {
 public:
  AccessorArrays() {
    accessors_.begin_array();
    views_.begin_array();
  }

  int add_view(const BinRange& range, int target = 0, int stride = 0) {
    views_.begin_line_object().key("buffer").value(0);
    views_.key("byteOffset").value(range.offset).key("byteLength").value(range.bytes);
    if (stride != 0) views_.key("byteStride").value(stride);
    if (target != 0) views_.key("target").value(target);
    views_.end_object();
    return view_count_++;
  }

  // The view of a meshopt stream. Its decoded elements have a range in the fallback buffer.
  int add_compressed_view(const BinRange& stream, std::uint64_t elements,
                          std::uint64_t element_bytes) {
    const std::uint64_t bytes = elements * element_bytes;
    const auto write_range = [&](std::uint64_t buffer, const BinRange& range) {
      views_.key("buffer").value(buffer).key("byteOffset").value(range.offset);
      views_.key("byteLength").value(range.bytes).key("byteStride").value(element_bytes);
    };
    views_.begin_line_object();
    write_range(1, {decoded_bytes_, bytes});
    views_.key("target").value(kGlbVertexTarget);
    views_.key("extensions").begin_line_object();
    views_.key("EXT_meshopt_compression").begin_line_object();
    write_range(0, stream);
    views_.key("mode").value("ATTRIBUTES").key("count").value(elements);
    views_.end_object().end_object().end_object();
    decoded_bytes_ += bytes;
    return view_count_++;
  }
  std::uint64_t decoded_bytes() const { return decoded_bytes_; }  // of all compressed views

  // Writes the members that every accessor has. The caller adds the other members and then calls
  // end_accessor(), which returns the accessor's index.
  JsonWriter& begin_accessor(int component_type, std::int64_t count, const std::string& type) {
    accessors_.begin_line_object().key("componentType").value(component_type);
    accessors_.key("count").value(count).key("type").value(type);
    return accessors_;
  }
  int end_accessor() {
    accessors_.end_object();
    return accessor_count_++;
  }

  void write_bounds(const Box& bounds) {
    accessors_.key("min").numbers(bounds.min).key("max").numbers(bounds.max);
  }

  struct Sparse {
    std::int64_t count;
    int indices_view, index_type;
    std::uint64_t indices_offset;
    int values_view;
    std::uint64_t values_offset;
  };
  void write_sparse(const Sparse& sparse) {
    JsonWriter& a = accessors_;
    a.key("sparse").begin_line_object().key("count").value(sparse.count);
    a.key("indices").begin_line_object().key("bufferView").value(sparse.indices_view);
    a.key("byteOffset").value(sparse.indices_offset).key("componentType").value(sparse.index_type);
    a.end_object();
    a.key("values").begin_line_object().key("bufferView").value(sparse.values_view);
    a.key("byteOffset").value(sparse.values_offset).end_object();
    a.end_object();
  }

  // An accessor of a whole view.
  int add_accessor(int view, int component_type, std::int64_t count, const std::string& type) {
    begin_accessor(component_type, count, type).key("bufferView").value(view);
    return end_accessor();
  }

  // Writes both arrays as members of the open object.
  void write(JsonWriter& json) {
    accessors_.end_array();
    views_.end_array();
    json.key("accessors").raw(without_newline(accessors_.take()));
    json.key("bufferViews").raw(without_newline(views_.take()));
  }

 private:
  static std::string without_newline(std::string text) {
    text.pop_back();
    return text;
  }

  JsonWriter accessors_, views_;
  int accessor_count_ = 0, view_count_ = 0;
  std::uint64_t decoded_bytes_ = 0;
};

}  // namespace skinbake
