// Bytes as text: base64 (RFC 4648), and their hash.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
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

// XXH3 with 128 bits: identifies the content of files. It is not cryptographic.
class Xxh128 {
 public:
  Xxh128();
  ~Xxh128();
  void update(const void* data, std::size_t size);
  std::string hex() const;  // 32 digits, as `xxhsum -H128` prints them

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skinbake
