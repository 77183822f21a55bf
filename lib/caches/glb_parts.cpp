#include "caches/glb_parts.h"

namespace skinbake {

namespace {

std::string without_newline(std::string text) {
  text.pop_back();
  return text;
}

}  // namespace

GlbParts::GlbParts() {
  accessors_.begin_array();
  views_.begin_array();
}

int GlbParts::view(const GlbView& view, int target, int stride) {
  views_.begin_line_object().key("buffer").value(0);
  views_.key("byteOffset").value(view.offset).key("byteLength").value(view.bytes);
  if (stride != 0) views_.key("byteStride").value(stride);
  if (target != 0) views_.key("target").value(target);
  views_.end_object();
  return view_count_++;
}

int GlbParts::packed_view(const GlbView& view, std::uint64_t elements,
                          std::uint64_t element_bytes) {
  const std::uint64_t bytes = elements * element_bytes;
  const auto write_place = [&](std::uint64_t buffer, const GlbView& place) {
    views_.key("buffer").value(buffer).key("byteOffset").value(place.offset);
    views_.key("byteLength").value(place.bytes).key("byteStride").value(element_bytes);
  };
  views_.begin_line_object();
  write_place(1, {unpacked_bytes_, bytes});
  views_.key("target").value(kVertexTarget);
  views_.key("extensions").begin_line_object();
  views_.key("EXT_meshopt_compression").begin_line_object();
  write_place(0, view);
  views_.key("mode").value("ATTRIBUTES").key("count").value(elements);
  views_.end_object().end_object().end_object();
  unpacked_bytes_ += bytes;
  return view_count_++;
}

JsonWriter& GlbParts::open(int component_type, std::int64_t count, const std::string& type) {
  accessors_.begin_line_object().key("componentType").value(component_type);
  accessors_.key("count").value(count).key("type").value(type);
  return accessors_;
}

int GlbParts::close() {
  accessors_.end_object();
  return accessor_count_++;
}

void GlbParts::bounds(const GlbBounds& bounds) {
  accessors_.key("min").numbers(bounds.min).key("max").numbers(bounds.max);
}

void GlbParts::sparse(const Sparse& s) {
  JsonWriter& a = accessors_;
  a.key("sparse").begin_line_object().key("count").value(s.count);
  a.key("indices").begin_line_object().key("bufferView").value(s.indices);
  a.key("byteOffset").value(s.indices_offset).key("componentType").value(s.index_type);
  a.end_object();
  a.key("values").begin_line_object().key("bufferView").value(s.values);
  a.key("byteOffset").value(s.values_offset).end_object();
  a.end_object();
}

int GlbParts::plain(int view, int component_type, std::int64_t count, const std::string& type) {
  open(component_type, count, type).key("bufferView").value(view);
  return close();
}

void GlbParts::write(JsonWriter& json) {
  accessors_.end_array();
  views_.end_array();
  json.key("accessors").raw(without_newline(accessors_.take()));
  json.key("bufferViews").raw(without_newline(views_.take()));
}

}  // namespace skinbake
