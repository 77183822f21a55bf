// The first bytes of an encoded image: its format and its size.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace skinbake {

struct ImageHeader {
  std::string mime_type;  // image/png or image/jpeg
  std::uint32_t width = 0, height = 0;
};

// The header of a PNG or JPEG image. Empty if the bytes begin as neither, or end before the size.
std::optional<ImageHeader> image_header(std::span<const std::uint8_t> bytes);

}  // namespace skinbake
