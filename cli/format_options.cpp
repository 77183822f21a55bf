#include "format_options.h"

#include <algorithm>

#include "choices.h"
#include "skinbake/error.h"

namespace skinbake::cli {

namespace {

[[noreturn]] void fail(const std::string& text, const std::string& what) {
  throw Error(ErrorKind::kUsage, "FORMAT_OPTION_UNKNOWN", "--format " + text + ": " + what);
}

const CacheFormat& named(const std::string& id, const std::string& text) {
  std::string known;
  for (const CacheFormat& format : cache_formats()) {
    if (format.id == id) return format;
    known += (known.empty() ? "" : ", ") + std::string(format.id);
  }
  fail(text, "no format '" + id + "'; there are: " + known);
}

}  // namespace

// CacheFormat::options: "interpolation=linear|step, normals=1".
bool takes(const CacheFormat& format, const std::string& name) {
  const std::string list = ", " + std::string(format.options);
  return list.find(", " + name + "=") != std::string::npos;
}

std::string formats_taking(const std::string& name) {
  std::string known;
  for (const CacheFormat& format : cache_formats()) {
    if (takes(format, name)) known += (known.empty() ? "" : ", ") + std::string(format.id);
  }
  return known;
}

namespace {

// An option that a format has not, and which ones have it.
[[noreturn]] void fail_unknown(const CacheFormat& of, const std::string& pair,
                               const std::string& text) {
  const std::string others = formats_taking(pair.substr(0, pair.find('=')));
  fail(text,
       (of.options.empty() ? "the format has no options"
                           : "no option '" + pair + "'; there is: " + std::string(of.options)) +
           (others.empty() ? "" : "; that one is for: " + others));
}

}  // namespace

FormatOptions options_of(const CacheFormat& format, const std::vector<std::string>& texts) {
  FormatOptions options;
  for (const std::string& text : texts) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const CacheFormat& of = named(text.substr(0, colon), text);
    if (colon == text.size()) fail(text, "write ID:NAME=VALUE");
    for (std::size_t at = colon + 1; at <= text.size();) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      const std::string pair = text.substr(at, end - at);
      const std::size_t equals = pair.find('=');
      if (equals == std::string::npos || !takes(of, pair.substr(0, equals))) {
        fail_unknown(of, pair, text);
      }
      if (of.id == format.id) options[pair.substr(0, equals)] = pair.substr(equals + 1);
      at = end + 1;
    }
  }
  return options;
}

namespace {

constexpr const char* kPrecision = "precision";

}  // namespace

void add_precision_option(CLI::App& command, bool& half) {
  add_choice<bool>(command, "--precision", half, {{"single", false}, {"half", true}},
                   "Of numbers in caches whose format has both (skinbake list formats)", "single");
}

void set_precision(const CacheFormat& format, bool half, FormatOptions& options) {
  if (half && takes(format, kPrecision)) options.emplace(kPrecision, "half");
}

void require_half_precision(const std::vector<std::string>& outputs) {
  for (const std::string& output : outputs) {
    if (takes(cache_format_of(output), kPrecision)) return;
  }
  std::string known;
  for (const CacheFormat& format : cache_formats()) {
    if (!takes(format, kPrecision)) continue;
    known += (known.empty() ? "" : ", ") + std::string(format.extension);
  }
  throw CLI::ValidationError("--precision",
                             "no output has a format of half precision; such are: " + known);
}

}  // namespace skinbake::cli
