// PNG: ISO/IEC 15948, 5.2 and 11.2.2: a signature of 8 bytes, then the chunk IHDR, which begins
// with the width and the height. JPEG: ISO/IEC 10918-1, annex B: segments, each a marker FF xx and
// a length, of which a frame header (SOF) has the height and the width.

#include "report/viewer/image_header.h"

#include <algorithm>
#include <array>

namespace skinbake {

namespace {

using ImageBytes = std::span<const std::uint8_t>;

std::uint32_t big_endian(ImageBytes bytes, std::size_t at, std::size_t count) {
  std::uint32_t number = 0;
  for (const std::uint8_t byte : bytes.subspan(at, count)) number = number << 8 | byte;
  return number;
}

std::optional<ImageHeader> png_header(ImageBytes bytes) {
  constexpr std::array<std::uint8_t, 16> kStart{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
                                                0,    0,   0,   13,  'I',  'H',  'D',  'R'};
  if (bytes.size() < kStart.size() + 8 || !std::equal(kStart.begin(), kStart.end(), bytes.begin()))
    return {};
  return ImageHeader{"image/png", big_endian(bytes, 16, 4), big_endian(bytes, 20, 4)};
}

// Whether a marker begins a frame header. C4, C8 and CC are other segments in the same range.
bool begins_frame(std::uint8_t marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

std::optional<ImageHeader> jpeg_header(ImageBytes bytes) {
  if (bytes.size() < 2 || bytes[0] != 0xff || bytes[1] != 0xd8) return {};
  std::size_t at = 2;
  while (at + 9 <= bytes.size() && bytes[at] == 0xff) {
    if (bytes[at + 1] == 0xff) {  // a fill byte before a marker
      ++at;
      continue;
    }
    if (begins_frame(bytes[at + 1])) {
      return ImageHeader{"image/jpeg", big_endian(bytes, at + 7, 2), big_endian(bytes, at + 5, 2)};
    }
    at += 2 + std::max(big_endian(bytes, at + 2, 2), 2u);
  }
  return {};
}

}  // namespace

std::optional<ImageHeader> image_header(std::span<const std::uint8_t> bytes) {
  std::optional<ImageHeader> header = png_header(bytes);
  if (!header) header = jpeg_header(bytes);
  return header && header->width > 0 && header->height > 0 ? header : std::nullopt;
}

}  // namespace skinbake
