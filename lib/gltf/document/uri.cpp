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
  const std::size_t semicolon = media_type.rfind(';');
  return semicolon != std::string_view::npos &&
         equals_word(trimmed(media_type.substr(semicolon + 1)), "base64");
}

// Whether the word stands before another parameter. Browsers take such data as it is written, which
// no writer means.
bool has_misplaced_base64(std::string_view media_type) {
  for (std::size_t at; (at = media_type.rfind(';')) != std::string_view::npos;) {
    media_type = media_type.substr(0, at);
    if (is_base64(media_type)) return true;
  }
  return false;
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

// Resolves "." and ".." before any folder is looked up (RFC 3986, 5.2.4). What leads above the
// first folder stays: "../a".
std::string without_dots(std::string_view path) {
  const std::string root = path.starts_with('/') ? "/" : "";
  std::string kept;    // each part with its slash
  std::size_t up = 0;  // the length of the parts ".." at its beginning
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end), rest = path.substr(end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part != ".." || (kept.size() == up && root.empty())) {
      kept.append(part).append(rest.substr(0, 1));
      if (part == "..") up = kept.size();
    } else if (kept.size() > up) {
      kept.resize(kept.rfind('/', kept.size() - 2) + 1);
    }
  }
  return root.empty() && kept.empty() ? "." : root + kept;
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
  const std::string media_type = without(uri.substr(0, comma), "\t\n\r");
  if (is_base64(media_type)) return bytes_of_base64(data);
  if (has_misplaced_base64(media_type)) {
    return {{}, "has a data URI whose word 'base64' is not the last before the comma"};
  }
  const std::string decoded = percent_decoded(without(data, "\t\n\r")).text;
  UriData result{AlignedArray<std::uint8_t>(decoded.size()), ""};
  std::copy(decoded.begin(), decoded.end(), result.bytes.data());
  return result;
}

UriPaths paths_of_uri(std::string_view uri) {
  const DecodedText decoded = percent_decoded(uri);
  if (decoded.text.empty()) return {{}, "is empty", {}};
  if (decoded.text.find('\0') != std::string::npos) return {{}, "contains a NUL", {}};
  const bool may_be_address = has_scheme(uri);
  UriPaths named;
  if (may_be_address) {
    named.if_missing = "is not a path to a file";
  } else if (decoded.is_malformed) {
    named.if_missing = "has a malformed percent-encoding, and is not the name of a file";
  }
  const std::string written(uri);
  for (const std::string& text :
       {with_slashes(decoded.text), decoded.text, with_slashes(written), written}) {
    std::string path = without_dots(text);
    const bool is_address = may_be_address && path != text;  // "http://a"
    if (is_address || std::ranges::find(named.paths, path) != named.paths.end()) continue;
    named.paths.push_back(std::move(path));
  }
  if (named.paths.empty()) named.refusal = named.if_missing;
  return named;
}

}  // namespace skinbake::gltf
