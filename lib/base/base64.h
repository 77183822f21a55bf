// Bytes as text, for what may hold nothing else.

#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace skinbake {

// RFC 4648, with padding.
std::string base64_encoded(std::span<const std::byte> bytes);

}  // namespace skinbake
