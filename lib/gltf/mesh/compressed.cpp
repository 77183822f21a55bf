#include "gltf/mesh/compressed.h"

#include <utility>

namespace skinbake::gltf {

ByteSpan checked_range(const Document& document, std::size_t buffer, std::uint64_t offset,
                       std::uint64_t length, const std::string& what, const Element& element) {
  const ByteSpan bytes = document.buffers[buffer];
  if (offset > bytes.size() || length > bytes.size() - offset) {
    document.fail("BUFFER_VIEW_OUT_OF_RANGE", element,
                  "uses " + what + ", which ends past its buffer");
  }
  return bytes.subspan(offset, length);
}

ByteSpan view_bytes(Document& document, int view, const Element& element) {
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
  document.storage.push_back(decode_meshopt(document, source, bytes, where));
  source.decoded = {document.storage.back().data(), document.storage.back().size()};
  source.is_decoded = true;
  return source.decoded;
}

}  // namespace skinbake::gltf
