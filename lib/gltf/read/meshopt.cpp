// EXT_meshopt_compression and KHR_meshopt_compression: streams of vertices and indices, decoded by
// the meshoptimizer library. The library is safe for untrusted bytes, but not for untrusted counts
// and strides, which are checked here.
//
// Arseny Kapoulkine. EXT_meshopt_compression. Khronos glTF extension, 2021.

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>

#include "gltf/document/message_text.h"
#include "gltf/read/accessor.h"

namespace skinbake::gltf {

namespace {

constexpr std::uint64_t kMaxVertexSize = 256;
// The first byte of a stream contains its kind and its version.
constexpr int kVertexHeader = 0xA0, kVertexVersion = 0;
constexpr int kIndexVersion = 1;

enum class Mode { kAttributes, kTriangles, kIndices };

class Decoder {
 public:
  Decoder(Document& document, const MeshoptView& view, ByteSpan source, const Element& element)
      : document_(document), view_(view), source_(source), element_(element) {}

  Bytes decode() {
    const Mode mode = mode_of();
    check_counts(mode);
    check_filter(mode);
    Bytes bytes(view_.count * view_.byte_stride);
    if (view_.count == 0) return bytes;
    if (run(mode, bytes.data()) != 0) refuse(mode);
    apply_filter(bytes.data());
    return bytes;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    document_.fail("MESHOPT_INVALID", element_, what);
  }

  Mode mode_of() const {
    if (view_.mode == "ATTRIBUTES") return Mode::kAttributes;
    if (view_.mode == "TRIANGLES") return Mode::kTriangles;
    if (view_.mode == "INDICES") return Mode::kIndices;
    fail("has the unknown mode " + in_quotes(view_.mode));
  }

  void check_counts(Mode mode) const {
    const std::uint64_t stride = view_.byte_stride, count = view_.count;
    if (mode == Mode::kAttributes) {
      if (stride == 0 || stride % 4 != 0 || stride > kMaxVertexSize) {
        fail("has the byteStride " + std::to_string(stride) +
             "; it must be a multiple of 4 up to 256");
      }
      if (count > source_.size() * kMostBytesPerByte / stride) fail(too_many());
      return;
    }
    if (stride != 2 && stride != 4) {
      fail("has indices of " + std::to_string(stride) + " bytes; they must have 2 or 4");
    }
    if (mode == Mode::kTriangles && count % 3 != 0) {
      fail("has " + std::to_string(count) + " corners of triangles, not a multiple of 3");
    }
    if (count / (mode == Mode::kTriangles ? 3 : 1) > source_.size()) fail(too_many());
  }

  std::string too_many() const {
    return "declares " + std::to_string(view_.count) + " elements, which " +
           std::to_string(source_.size()) + " compressed bytes cannot contain";
  }

  void check_filter(Mode mode) const {
    const std::string& filter = view_.filter;
    if (filter == "NONE") return;
    if (filter == "COLOR") {
      document_.fail("EXTENSION_UNSUPPORTED", element_,
                     "has the filter COLOR, which is not supported for vertices");
    }
    const std::uint64_t stride = view_.byte_stride;
    const bool known = filter == "OCTAHEDRAL" || filter == "QUATERNION" || filter == "EXPONENTIAL";
    if (!known) fail("has the unknown filter " + in_quotes(filter));
    if (mode != Mode::kAttributes) fail("has the filter " + filter + " on indices");
    if (filter == "EXPONENTIAL" || stride == 8 || (stride == 4 && filter == "OCTAHEDRAL")) return;
    fail("has the filter " + filter + " with the byteStride " + std::to_string(stride));
  }

  int run(Mode mode, std::uint8_t* out) const {
    if (source_.empty()) return -1;
    switch (mode) {
      case Mode::kAttributes:
        return meshopt_decodeVertexBuffer(out, view_.count, view_.byte_stride, source_.data(),
                                          source_.size());
      case Mode::kTriangles:
        return meshopt_decodeIndexBuffer(out, view_.count, view_.byte_stride, source_.data(),
                                         source_.size());
      case Mode::kIndices:
        break;
    }
    return meshopt_decodeIndexSequence(out, view_.count, view_.byte_stride, source_.data(),
                                       source_.size());
  }

  // Distinguishes a stream of a later version, which the library does not know, from a damaged one.
  [[noreturn]] void refuse(Mode mode) const {
    const int first = source_.empty() ? 0 : source_[0];
    const int header = mode == Mode::kAttributes  ? kVertexHeader
                       : mode == Mode::kTriangles ? 0xE0
                                                  : 0xD0;
    const int known = mode == Mode::kAttributes ? kVertexVersion : kIndexVersion;
    if ((first & 0xF0) == header && (first & 0x0F) > known) {
      document_.fail("EXTENSION_UNSUPPORTED", element_,
                     "is a stream of version " + std::to_string(first & 0x0F) + " of " +
                         view_.extension +
                         ", which the installed meshoptimizer library does not decode");
    }
    fail("cannot be decoded: its bytes are damaged");
  }

  void apply_filter(std::uint8_t* out) const {
    if (view_.filter == "OCTAHEDRAL" && view_.byte_stride == 4) {
      decode_octahedral_bytes(reinterpret_cast<std::int8_t*>(out));
    } else if (view_.filter == "OCTAHEDRAL") {
      meshopt_decodeFilterOct(out, view_.count, view_.byte_stride);
    } else if (view_.filter == "QUATERNION") {
      meshopt_decodeFilterQuat(out, view_.count, view_.byte_stride);
    } else if (view_.filter == "EXPONENTIAL") {
      meshopt_decodeFilterExp(out, view_.count, view_.byte_stride);
    }
  }

  // The extension's octahedral filter for 8 bits. The filter of the library uses an approximate
  // reciprocal square root, whose last bits differ between processors; the square root is exact.
  void decode_octahedral_bytes(std::int8_t* vectors) const {
    for (std::uint64_t i = 0; i < view_.count; ++i, vectors += 4) {
      const auto one = static_cast<float>(vectors[2]);
      float x = static_cast<float>(vectors[0]), y = static_cast<float>(vectors[1]);
      float z = one - std::abs(x) - std::abs(y);
      const float fold = std::min(z, 0.0f);  // the lower half is folded over the edges
      x += x >= 0 ? fold : -fold;
      y += y >= 0 ? fold : -fold;
      const float length = std::sqrt(x * x + y * y + z * z);
      const float scale = length > 0 ? 127.0f / length : 0.0f;
      for (int c = 0; c < 3; ++c) {
        const float value = (c == 0 ? x : c == 1 ? y : z) * scale;
        vectors[c] = static_cast<std::int8_t>(value + (value >= 0 ? 0.5f : -0.5f));
      }
    }
  }

  Document& document_;
  const MeshoptView& view_;
  ByteSpan source_;
  const Element& element_;
};

}  // namespace

Bytes decode_meshopt(Document& document, const MeshoptView& view, ByteSpan source,
                     const Element& element) {
  return Decoder(document, view, source, element).decode();
}

}  // namespace skinbake::gltf
