// Base64 (RFC 4648).

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/aligned_array.h"

namespace skinbake {

// Returns the text with padding.
std::string base64_encoded(std::span<const std::byte> bytes);

// Decodes the standard and the URL-safe alphabet, with or without padding. Returns nothing for a
// malformed text.
std::optional<AlignedArray<std::uint8_t>> base64_decoded(std::string_view text);

}  // namespace skinbake
