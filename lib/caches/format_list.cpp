#include "caches/format_list.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "base/file_kind.h"
#include "base/nearest_word.h"
#include "base/output_file.h"
#include "base/paths.h"
#include "clip/frame_rates.h"
#include "skinbake/error.h"

namespace skinbake {

void CacheWriter::commit() {
  commit_together(files());
}

void CacheWriter::sync() {
  for (OutputFile* file : files()) file->sync();
}

std::string formats_with_times(bool only_rows) {
  std::string ids;
  for (const CacheFormat* format : kCacheFormats) {
    if (!format->holds_times || (only_rows && format->holds_meshes)) continue;
    ids += (ids.empty() ? "" : ", ") + std::string(format->id);
  }
  return ids;
}

void require_whole_frames(const std::string& format, const std::string& path,
                          std::span<const CacheHeader> headers) {
  for (const CacheHeader& header : headers) {
    const FrameRange& frames = header.frames;
    if (!frames.is_end(frames.frame_count - 1)) continue;
    char end[32];
    std::snprintf(end, sizeof end, "%.6g", frames.end_s);
    throw Error("CACHE_UNSUITABLE",
                "the last frame is the end of a clip, at " + std::string(end) +
                    " s, between two frames at " + rate_text(frames.fps) + " fps, and a " + format +
                    " has one rate; formats with a time for each frame: " +
                    formats_with_times(header.rig == nullptr),
                {path, ""});
  }
}

std::span<const CacheFormat> cache_formats() {
  static const std::vector<CacheFormat> kFormats = [] {
    std::vector<CacheFormat> formats;
    for (const CacheFormat* format : kCacheFormats) formats.push_back(*format);
    return formats;
  }();
  return kFormats;
}

const CacheFormat* find_cache_format_of(const std::string& path) {
  for (const CacheFormat& format : cache_formats()) {
    for (const std::string_view extension : {format.extension, format.other_extension}) {
      if (!extension.empty() && has_extension(path, extension)) return &format;
    }
  }
  return nullptr;
}

namespace {

// The extensions of caches, and the extension that `path` may have meant.
std::string extensions(bool only_readable, const std::string& path) {
  std::string known;
  std::vector<std::string> words;
  for (const CacheFormat& format : cache_formats()) {
    if (only_readable && format.read == nullptr) continue;
    for (const std::string_view extension : {format.extension, format.other_extension}) {
      if (extension.empty()) continue;
      known += (known.empty() ? "" : ", ") + std::string(extension);
      words.emplace_back(extension);
    }
  }
  return known + did_you_mean(std::filesystem::path(path).extension().string(), words);
}

}  // namespace

const CacheFormat* find_cache_format(std::string_view id) {
  const auto formats = cache_formats();
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const CacheFormat& format) { return format.id == id; });
  return found == formats.end() ? nullptr : &*found;
}

const CacheFormat& cache_format_of(const std::string& path) {
  if (const CacheFormat* format = find_cache_format_of(path)) return *format;
  throw Error("FORMAT_UNKNOWN",
              "output '" + path +
                  "': the extension picks the format; there are: " + extensions(false, path));
}

namespace {

// Throws if the bytes of a file tell another kind than its extension, or a kind that is no cache.
void refuse_no_cache(const std::string& path) {
  const FileKind* const kind = find_file_kind(path);
  const CacheFormat* const format = kind == nullptr ? nullptr : find_cache_format(kind->cache);
  if (format != nullptr) {
    throw Error("CACHE_UNSUPPORTED",
                "the file is " + std::string(kind->name) +
                    " without its extension; rename it to '" + path +
                    std::string(format->extension) + "'",
                {path, ""});
  }
  refuse_other_kind(path);
  if (has_extension(path, ".gltf") || has_extension(path, ".vrm")) refuse_rig(path);
}

}  // namespace

void refuse_rig(const std::string& path) {
  throw Error(
      "CACHE_UNSUPPORTED",
      "the file is glTF that skinbake has not baked, so that it has no frames; bake it into "
      "a cache first",
      {path, ""});
}

std::unique_ptr<CacheReader> open_cache(const std::string& path, const std::string& mesh) {
  const CacheFormat* format = find_cache_format_of(path);
  if (format != nullptr && format->read != nullptr) return format->read(path, mesh);
  if (format != nullptr) {
    throw Error("CACHE_UNSUPPORTED",
                "has the extension of format " + std::string(format->id) +
                    ", which is written and not read; name a cache of the same frames that is "
                    "readable: " +
                    extensions(true, ""),
                {path, ""});
  }
  if (is_regular_file(path)) refuse_no_cache(path);
  throw Error("CACHE_UNSUPPORTED",
              "caches with this extension cannot be read; readable are: " + extensions(true, path),
              {path, ""});
}

namespace {

// The first choice: "linear" of "linear|step".
std::string_view first_choice(std::string_view choices) {
  return choices.substr(0, choices.find('|'));
}

bool has_choice(std::string_view choices, std::string_view value) {
  for (;;) {
    const std::string_view choice = first_choice(choices);
    if (choice == value) return true;
    if (choice.size() == choices.size()) return false;
    choices.remove_prefix(choice.size() + 1);
  }
}

// Whether the option allows a whole number. The only accepted spelling is "16", not "016" or
// "16.0".
bool has_number(const MethodParameter& option, const std::string& value) {
  int number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && value == std::to_string(number) && number >= option.lowest &&
         number <= option.highest && number % option.multiple_of == 0;
}

bool has_value(const MethodParameter& option, const std::string& value) {
  return option.choices.empty() ? has_number(option, value) : has_choice(option.choices, value);
}

// The values that the option allows, in words: "0 or 1", "a whole number from 8 to 16".
std::string allowed_values(const MethodParameter& option) {
  if (option.choices.empty()) {
    const std::string kind = option.multiple_of == 1
                                 ? "whole number"
                                 : "multiple of " + std::to_string(option.multiple_of);
    return "a " + kind + " from " + std::to_string(static_cast<int>(option.lowest)) + " to " +
           std::to_string(static_cast<int>(option.highest));
  }
  std::string words(option.choices);
  for (std::size_t bar = words.find('|'); bar != std::string::npos; bar = words.find('|')) {
    words.replace(bar, 1, words.find('|', bar + 1) == std::string::npos ? " or " : ", ");
  }
  return words;
}

// Finds an option by its name; null: the option is unknown.
const MethodParameter* find_option(std::span<const MethodParameter> known, std::string_view name) {
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const MethodParameter& p) { return p.name == name; });
  return found == known.end() ? nullptr : &*found;
}

}  // namespace

FormatOptions::FormatOptions(std::string_view format, std::span<const MethodParameter> known,
                             const CacheOptions& given)
    : format_(format), known_(known), given_(given) {
  for (const auto& [name, value] : given) {
    const MethodParameter* option = find_option(known, name);
    if (option == nullptr) {
      std::vector<std::string> names;
      for (const MethodParameter& each : known) names.emplace_back(each.name);
      fail("no option '" + name + "'; there is: " + options_text(known) +
           did_you_mean(name, names));
    }
    if (has_value(*option, value)) continue;
    fail("'" + name + "' must be " + allowed_values(*option) + ", not '" + value + "'");
  }
}

std::string_view FormatOptions::word(std::string_view name) const {
  const std::string* given = find(name);
  return given != nullptr ? std::string_view(*given) : first_choice(parameter(name).choices);
}

int FormatOptions::number(std::string_view name) const {
  const std::string* given = find(name);
  return given != nullptr ? std::stoi(*given) : static_cast<int>(parameter(name).initial);
}

void FormatOptions::fail(const std::string& cause) const {
  throw Error("FORMAT_OPTION_UNKNOWN", "format " + std::string(format_) + ": " + cause);
}

const MethodParameter& FormatOptions::parameter(std::string_view name) const {
  const MethodParameter* option = find_option(known_, name);
  assert(option != nullptr);
  return *option;
}

const std::string* FormatOptions::find(std::string_view name) const {
  const auto found = given_.find(std::string(name));
  return found == given_.end() ? nullptr : &found->second;
}

std::string values_of_option(const MethodParameter& option) {
  if (!option.choices.empty()) return std::string(option.choices);
  const int lowest = static_cast<int>(option.lowest), highest = static_cast<int>(option.highest);
  return std::to_string(lowest) + "|" + std::to_string(lowest + option.multiple_of) + "|…|" +
         std::to_string(highest);
}

std::string options_text(std::span<const MethodParameter> options) {
  std::string text;
  for (const MethodParameter& option : options) {
    text += (text.empty() ? "" : ", ") + std::string(option.name) + "=" + values_of_option(option);
  }
  return text;
}

std::string options_text(const CacheFormat& format) {
  return options_text(format.options);
}

}  // namespace skinbake
