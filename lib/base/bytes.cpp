#include "base/bytes.h"

#include <xxhash.h>
#if __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>  // the same digests by the widest instructions of this processor
#endif

#include <algorithm>
#include <array>
#include <cstdio>
#include <new>

namespace skinbake {

namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int8_t, 256> base64_digits() {
  std::array<std::int8_t, 256> digits{};
  for (std::int8_t& digit : digits) digit = -1;
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  }
  digits['-'] = 62;  // the URL-safe alphabet, which some exporters use
  digits['_'] = 63;
  return digits;
}

}  // namespace

std::string base64_encoded(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (i < count ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= count ? kAlphabet[bits >> (18 - 6 * i) & 63] : '=';
    }
  }
  return text;
}

std::optional<AlignedArray<std::uint8_t>> base64_decoded(std::string_view text) {
  static constexpr std::array<std::int8_t, 256> kDigits = base64_digits();
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  AlignedArray<std::uint8_t> bytes(text.size() / 4 * 3 +
                                   (text.size() % 4 == 0 ? 0 : text.size() % 4 - 1));
  std::uint32_t bits = 0;
  int bad = 0;
  std::size_t written = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int digit = kDigits[static_cast<unsigned char>(text[i])];
    bad |= digit;
    bits = bits << 6 | (static_cast<std::uint32_t>(digit) & 63);
    if (i % 4 != 3) continue;
    bytes[written++] = static_cast<std::uint8_t>(bits >> 16);
    bytes[written++] = static_cast<std::uint8_t>(bits >> 8);
    bytes[written++] = static_cast<std::uint8_t>(bits);
  }
  if (bad < 0) return std::nullopt;
  if (text.size() % 4 >= 2) {
    bits <<= text.size() % 4 == 2 ? 12 : 6;
    bytes[written++] = static_cast<std::uint8_t>(bits >> 16);
    if (text.size() % 4 == 3) bytes[written++] = static_cast<std::uint8_t>(bits >> 8);
  }
  return bytes;
}

struct Xxh128::State {
  XXH3_state_t* xxh = XXH3_createState();
  State() {
    if (xxh == nullptr) throw std::bad_alloc();
  }
  ~State() { XXH3_freeState(xxh); }
};

Xxh128::Xxh128() : state_(std::make_unique<State>()) {
  XXH3_128bits_reset(state_->xxh);
}

Xxh128::~Xxh128() = default;

void Xxh128::update(const void* data, std::size_t size) {
  XXH3_128bits_update(state_->xxh, data, size);
}

std::string Xxh128::hex() const {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_->xxh));
  std::string text;
  for (const unsigned char byte : canonical.digest) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", byte);
    text += digits;
  }
  return text;
}

}  // namespace skinbake
