#include "gltf/uri.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

namespace skinbake::gltf {

namespace {

constexpr std::size_t kMaxQuoted = 120;  // names and URIs come from the file: keep messages short

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    decoded += static_cast<char>(16 * high + low);
    i += 2;
  }
  return decoded;
}

constexpr std::array<std::int8_t, 256> base64_digits() {
  std::array<std::int8_t, 256> digits{};
  for (std::int8_t& digit : digits) digit = -1;
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  }
  digits['-'] = 62;  // base64url, which some writers use
  digits['_'] = 63;
  return digits;
}

std::optional<Bytes> base64_decoded(std::string_view text) {
  static constexpr std::array<std::int8_t, 256> kDigits = base64_digits();
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  Bytes bytes(text.size() / 4 * 3 + (text.size() % 4 == 0 ? 0 : text.size() % 4 - 1));
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

bool has_scheme(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  if (colon == std::string_view::npos || colon == 0 ||
      !std::isalpha(static_cast<unsigned char>(uri[0])))
    return false;
  return std::all_of(uri.begin(), uri.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '+' || c == '-' || c == '.';
  });
}

// Whether a path's ".." ever climb above where it starts.
bool climbs_out(std::string_view path) {
  int depth = 0;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    if (part == "..") {
      if (--depth < 0) return true;
    } else if (!part.empty() && part != ".") {
      ++depth;
    }
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return false;
}

}  // namespace

bool is_data_uri(std::string_view uri) {
  constexpr std::string_view kScheme = "data:";
  return uri.size() >= kScheme.size() &&
         std::equal(kScheme.begin(), kScheme.end(), uri.begin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

std::optional<Bytes> decode_data_uri(std::string_view uri) {
  const std::size_t comma = uri.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const std::string_view data = uri.substr(comma + 1);
  if (uri.substr(0, comma).ends_with(";base64")) return base64_decoded(data);
  const std::optional<std::string> decoded = percent_decoded(data);
  if (!decoded) return std::nullopt;
  Bytes bytes(decoded->size());
  std::copy(decoded->begin(), decoded->end(), bytes.data());
  return bytes;
}

RelativePath relative_path(std::string_view uri, bool allow_outside) {
  if (has_scheme(uri)) return {"", "is no path of a file", false};
  const std::optional<std::string> path = percent_decoded(uri);
  if (!path) return {"", "has a broken percent-encoding", false};
  if (path->empty()) return {"", "is empty", false};
  if (path->find('\0') != std::string::npos) return {"", "contains a NUL", false};
  if (allow_outside) return {*path, "", false};
  if (path->starts_with('/') || path->starts_with('\\')) return {"", "is an absolute path", true};
  if (climbs_out(*path)) return {"", "is outside the glTF's folder", true};
  return {*path, "", false};
}

bool is_inside(const std::string& file, const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path real_file = fs::canonical(file, failed);
  if (failed) return true;
  const fs::path real_folder = fs::canonical(folder.empty() ? "." : folder, failed);
  if (failed) return false;
  const auto rest =
      std::mismatch(real_folder.begin(), real_folder.end(), real_file.begin(), real_file.end());
  return rest.first == real_folder.end();
}

std::string pointer_token(const std::string& name) {
  std::string token;
  for (const char c : name) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text.substr(0, kMaxQuoted)) {
    result += static_cast<unsigned char>(c) < ' ' || c == 127 ? '?' : c;
  }
  // Never end in half a UTF-8 sequence.
  if (text.size() > kMaxQuoted) {
    while ((static_cast<unsigned char>(result.back()) & 0xC0) == 0x80) result.pop_back();
    if (static_cast<unsigned char>(result.back()) >= 0xC0) result.pop_back();
    result += "…";
  }
  return result + "'";
}

}  // namespace skinbake::gltf
