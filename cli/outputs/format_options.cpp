#include "outputs/format_options.h"

#include <algorithm>
#include <optional>

#include "base/nearest_word.h"
#include "options/usage_error.h"
#include "skinbake/error.h"

namespace skinbake::cli {

namespace {

[[noreturn]] void fail(const std::string& text, const std::string& what) {
  throw Error("FORMAT_OPTION_UNKNOWN", "'" + text + "': " + what);
}

const CacheFormat& named(const std::string& id, const std::string& text) {
  std::string known;
  std::vector<std::string> ids;
  for (const CacheFormat& format : cache_formats()) {
    if (format.id == id) return format;
    ids.emplace_back(format.id);
    known += (known.empty() ? "" : ", ") + std::string(format.id);
  }
  fail(text, "no format '" + id + "'; there are: " + known + did_you_mean(id, ids));
}

// The values of an option: "0|1". None if the format does not have the option.
std::optional<std::string> values_of(const CacheFormat& format, const std::string& name) {
  for (const MethodParameter& option : format.options) {
    if (option.name == name) return values_of_option(option);
  }
  return {};
}

}  // namespace

bool takes(const CacheFormat& format, const std::string& name) {
  return values_of(format, name).has_value();
}

std::string formats_taking(const std::string& name) {
  std::string known;
  for (const CacheFormat& format : cache_formats()) {
    if (takes(format, name)) known += (known.empty() ? "" : ", ") + std::string(format.id);
  }
  return known;
}

namespace {

// Throws Error (kUsage) for an option that the format does not have. The message names the formats
// that have it.
[[noreturn]] void fail_unknown(const CacheFormat& of, const std::string& pair,
                               const std::string& text) {
  const std::string others = formats_taking(pair.substr(0, pair.find('=')));
  const std::string for_others = others.empty() ? "" : "; formats with that option: " + others;
  if (of.options.empty()) fail(text, "the format does not have options" + for_others);
  const std::string there = "; there is: " + options_text(of);
  if (pair.empty()) fail(text, "write " + std::string(of.id) + ":NAME=VALUE" + there);
  std::vector<std::string> names;
  for (const MethodParameter& option : of.options) names.emplace_back(option.name);
  const std::string name = pair.substr(0, pair.find('='));
  fail(text, "no option '" + name + "'" + there + for_others + did_you_mean(name, names));
}

// Adds one NAME=VALUE to the options.
void add_pair(const CacheFormat& of, const std::string& pair, const std::string& text,
              FormatOptions& options) {
  const std::size_t equals = pair.find('=');
  const std::string name = pair.substr(0, equals), id(of.id);
  const std::optional<std::string> values = values_of(of, name);
  if (!values) fail_unknown(of, pair, text);
  if (equals == std::string::npos) {
    fail(text, "'" + name + "' does not have a value; write " + id + ":" + name + "=" + *values);
  }
  const std::string value = pair.substr(equals + 1);
  const auto [there, is_new] = options.emplace(name, value);
  if (is_new || there->second == value) return;
  throw UsageError("--format", id + ":" + name + "=" + there->second + " and " + id + ":" + pair +
                                   " contradict each other; omit one");
}

std::string id_in(const std::string& text) {
  return text.substr(0, text.find(':'));
}

// ".exr or .png", for messages.
std::string extensions_of(const CacheFormat& format) {
  const std::string first(format.extension), other(format.other_extension);
  return other.empty() ? first : first + " or " + other;
}

}  // namespace

FormatOptions options_of(const CacheFormat& format, const std::vector<std::string>& texts) {
  std::map<std::string_view, FormatOptions> all;
  for (const std::string& text : texts) {
    const std::string id = id_in(text);
    const CacheFormat& of = named(id, text);
    if (id == text) fail_unknown(of, "", text);
    for (std::size_t at = id.size() + 1; at <= text.size();) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      add_pair(of, text.substr(at, end - at), text, all[of.id]);
      at = end + 1;
    }
  }
  return all[format.id];
}

void require_outputs_of(const std::vector<std::string>& texts,
                        const std::vector<std::string>& outputs) {
  for (const std::string& text : texts) {
    const CacheFormat& of = named(id_in(text), text);
    options_of(of, texts);
    if (std::any_of(outputs.begin(), outputs.end(), [&](const std::string& output) {
          return cache_format_of(output).id == of.id;
        })) {
      continue;
    }
    throw UsageError("--format",
                     "'" + text + "' is for " + extensions_of(of) +
                         ", and no output has that format; omit it, or add an output with -o");
  }
}

namespace {

bool supports_half_precision(const std::string& output) {
  const CacheFormat& format = cache_format_of(output);
  return format.supports_half_precision != nullptr && format.supports_half_precision(output);
}

}  // namespace

void set_precision(const std::string& output, bool half, FormatOptions& options) {
  if (half && supports_half_precision(output)) options.emplace("precision", "half");
}

void require_half_precision(const std::vector<std::string>& outputs,
                            const std::vector<std::string>& texts) {
  std::string refused;  // by --format
  for (const std::string& output : outputs) {
    if (!supports_half_precision(output)) continue;
    const CacheFormat& format = cache_format_of(output);
    const FormatOptions options = options_of(format, texts);
    const auto precision = options.find("precision");
    if (precision == options.end() || precision->second == "half") return;
    refused = "half contradicts --format " + std::string(format.id) +
              ":precision=" + precision->second + "; omit one of the two";
  }
  if (!refused.empty()) throw UsageError("--precision", refused);
  std::string known;
  for (const CacheFormat& format : cache_formats()) {
    if (format.supports_half_precision == nullptr) continue;
    known += (known.empty() ? "" : ", ") + std::string(format.extension);
  }
  throw UsageError("--precision",
                   "no output supports half precision; formats with half precision: " + known);
}

}  // namespace skinbake::cli
