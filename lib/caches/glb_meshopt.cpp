#include "caches/glb_meshopt.h"

#include <meshoptimizer.h>

namespace skinbake {

std::size_t most_meshopt_bytes(std::size_t elements) {
  return meshopt_encodeVertexBufferBound(elements, kElementBytes);
}

void encode_meshopt(std::span<const std::int16_t> shorts, std::vector<std::uint8_t>& out) {
  const std::size_t elements = shorts.size() / kShortsPerElement;
  out.resize(most_meshopt_bytes(elements));
  meshopt_encodeVertexVersion(0);  // the only one that the extension has
  out.resize(
      meshopt_encodeVertexBuffer(out.data(), out.size(), shorts.data(), elements, kElementBytes));
}

bool decode_meshopt(std::span<const std::uint8_t> bytes, std::span<std::int16_t> shorts) {
  const std::size_t elements = shorts.size() / kShortsPerElement;
  if (bytes.empty() || elements > bytes.size() * kMostElementsPerByte) return false;
  return meshopt_decodeVertexBuffer(shorts.data(), elements, kElementBytes, bytes.data(),
                                    bytes.size()) == 0;
}

}  // namespace skinbake
