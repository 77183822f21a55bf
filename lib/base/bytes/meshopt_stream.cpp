#include "base/bytes/meshopt_stream.h"

#include <meshoptimizer.h>

namespace skinbake {

std::size_t max_meshopt_bytes(const MeshoptElements& elements) {
  return meshopt_encodeVertexBufferBound(elements.count, elements.bytes);
}

void encode_meshopt(const void* data, const MeshoptElements& elements,
                    std::vector<std::uint8_t>& out) {
  out.resize(max_meshopt_bytes(elements));
  meshopt_encodeVertexVersion(0);  // the extension does not define another version
  out.resize(
      meshopt_encodeVertexBuffer(out.data(), out.size(), data, elements.count, elements.bytes));
}

bool decode_meshopt(std::span<const std::uint8_t> bytes, const MeshoptElements& elements,
                    void* data) {
  if (bytes.empty() || elements.count > bytes.size() * kMaxMeshoptRatio / elements.bytes) {
    return false;
  }
  return meshopt_decodeVertexBuffer(data, elements.count, elements.bytes, bytes.data(),
                                    bytes.size()) == 0;
}

}  // namespace skinbake
