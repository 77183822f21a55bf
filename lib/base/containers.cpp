#include "base/containers.h"

#include <meshoptimizer.h>

namespace skinbake {

std::string npy_head(std::initializer_list<std::int64_t> shape, std::string_view descr) {
  constexpr std::size_t kAlignment = 64;
  std::string tuple;
  for (const std::int64_t count : shape) {
    tuple += (tuple.empty() ? "" : ", ") + std::to_string(count);
  }
  std::string dictionary =
      "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (" + tuple + "), }";
  const std::size_t before = kNpyMagic.size() + 4;
  while ((before + dictionary.size() + 1) % kAlignment != 0) dictionary += ' ';
  dictionary += '\n';
  std::string head(kNpyMagic);
  head += {'\1', '\0', static_cast<char>(dictionary.size() & 0xff),
           static_cast<char>(dictionary.size() >> 8)};
  return head + dictionary;
}

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
