#include "gltf/document/uri.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/bytes.h"
#include "gltf/document/message_text.h"

namespace skinbake::gltf {

namespace {

constexpr std::string_view kScheme = "data:";
constexpr std::string_view kSpaces = " \t\n\f\r";  // ASCII whitespace

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

struct DecodedText {
  std::string text;
  bool is_malformed = false;
};

// Replaces "%20" by the byte. A percent sign without two digits stays, as the URL standard says.
DecodedText percent_decoded(std::string_view text) {
  DecodedText decoded;
  decoded.text.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '%';
    const int high = is_escape && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
    if (low < 0) {
      decoded.is_malformed |= is_escape;
      decoded.text += text[i];
      continue;
    }
    decoded.text += static_cast<char>(16 * high + low);
    i += 2;
  }
  return decoded;
}

// `word` is in lower case.
bool equals_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

std::string without(std::string_view text, std::string_view characters) {
  std::string kept(text);
  std::erase_if(kept, [&](char c) { return characters.find(c) != std::string_view::npos; });
  return kept;
}

// A URI without the spaces and control characters at its ends.
std::string_view trimmed(std::string_view uri) {
  const auto is_kept = [](char c) { return static_cast<unsigned char>(c) > ' '; };
  while (!uri.empty() && !is_kept(uri.front())) uri.remove_prefix(1);
  while (!uri.empty() && !is_kept(uri.back())) uri.remove_suffix(1);
  return uri;
}

// Whether the part before the comma ends in ";base64", with spaces around the word.
bool is_base64(std::string_view media_type) {
  const std::string text = without(media_type, "\t\n\r");
  const std::size_t semicolon = text.rfind(';');
  return semicolon != std::string::npos &&
         equals_word(trimmed(std::string_view(text).substr(semicolon + 1)), "base64");
}

std::string base64_problem(const std::string& text) {
  const std::string digits = text.substr(0, text.find_last_not_of('=') + 1);
  const auto wrong = std::find_if(digits.begin(), digits.end(), [](char c) {
    return !std::isalnum(static_cast<unsigned char>(c)) &&
           std::string_view("+/-_").find(c) == std::string_view::npos;
  });
  if (wrong == digits.end()) {
    return "has a data URI whose base64 text is cut off: " + std::to_string(digits.size()) +
           " digits do not encode whole bytes";
  }
  return "has a data URI whose base64 text has " + in_quotes(std::string(1, *wrong)) +
         " as character " + std::to_string(wrong - digits.begin() + 1) + ", which is not a digit";
}

UriData bytes_of_base64(std::string_view data) {
  // Nearly every file has plain digits, of which a copy could be large.
  if (auto bytes = base64_decoded(data)) return {std::move(*bytes), ""};
  const std::string text = without(percent_decoded(data).text, kSpaces);
  if (auto bytes = base64_decoded(text)) return {std::move(*bytes), ""};
  return {{}, base64_problem(text)};
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

std::string with_slashes(std::string text) {
  std::replace(text.begin(), text.end(), '\\', '/');
  return text;
}

}  // namespace

bool is_data_uri(std::string_view uri) {
  return equals_word(trimmed(uri).substr(0, kScheme.size()), kScheme);
}

UriData decode_data_uri(std::string_view uri) {
  uri = trimmed(uri);
  uri = uri.substr(0, uri.find('#'));  // a fragment is not part of the data
  const std::size_t comma = uri.find(',');
  if (comma == std::string_view::npos) return {{}, "has a data URI without a comma before data"};
  const std::string_view data = uri.substr(comma + 1);
  if (is_base64(uri.substr(0, comma))) return bytes_of_base64(data);
  const std::string decoded = percent_decoded(without(data, "\t\n\r")).text;
  UriData result{AlignedArray<std::uint8_t>(decoded.size()), ""};
  std::copy(decoded.begin(), decoded.end(), result.bytes.data());
  return result;
}

UriPaths paths_of_uri(std::string_view uri) {
  if (has_scheme(uri)) return {{}, "is not a path to a file", false};
  const DecodedText decoded = percent_decoded(uri);
  if (decoded.text.empty()) return {{}, "is empty", false};
  if (decoded.text.find('\0') != std::string::npos) return {{}, "contains a NUL", false};
  UriPaths named{{}, "", decoded.is_malformed};
  const std::string written(uri);
  for (const std::string& path :
       {with_slashes(decoded.text), decoded.text, with_slashes(written), written}) {
    if (std::find(named.paths.begin(), named.paths.end(), path) == named.paths.end())
      named.paths.push_back(path);
  }
  return named;
}

}  // namespace skinbake::gltf
