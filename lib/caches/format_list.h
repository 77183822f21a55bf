// The cache formats, each defined in its own file, and their options.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "skinbake/caches.h"

namespace skinbake {

extern const CacheFormat kGlb;
extern const CacheFormat kMdd;
extern const CacheFormat kNpy;
extern const CacheFormat kPc2;
extern const CacheFormat kUsda;
extern const CacheFormat kVat;

inline constexpr const CacheFormat* kCacheFormats[] = {&kPc2, &kMdd, &kNpy, &kGlb, &kUsda, &kVat};

// Ids of the formats that store the time of each frame: "mdd, glb, usda". `only_rows`: without
// formats of meshes with triangles.
std::string formats_with_times(bool only_rows = false);

// Throws Error (kUsage, CACHE_UNSUITABLE) if the last frame of a header is the end of a clip,
// between two frames: the format stores frames of one rate. `format`: "PC2".
void require_whole_frames(const std::string& format, const std::string& path,
                          std::span<const CacheHeader> headers);

// An option that is on or off.
constexpr MethodParameter format_switch(std::string_view name, std::string_view help) {
  return {.name = name, .help = help, .choices = "0|1"};
}

// The options of a format, checked against the list in its CacheFormat.
class FormatOptions {
 public:
  // `format`: id, for messages. `known`: the format's list; it must outlive the object. Throws
  // Error (kUsage, FORMAT_OPTION_UNKNOWN) if `known` does not have an option or a value of `given`.
  FormatOptions(std::string_view format, std::span<const MethodParameter> known,
                const CacheOptions& given);

  bool is_given(std::string_view name) const { return find(name) != nullptr; }

  // The value of a known option, or its default.
  std::string_view word(std::string_view name) const;
  bool is_on(std::string_view name) const { return word(name) == "1"; }
  int number(std::string_view name) const;

  // Throws Error (kUsage, FORMAT_OPTION_UNKNOWN), for values that are allowed separately but not
  // together.
  [[noreturn]] void fail(const std::string& cause) const;

 private:
  const MethodParameter& parameter(std::string_view name) const;
  const std::string* find(std::string_view name) const;  // null: not given

  std::string_view format_;
  std::span<const MethodParameter> known_;
  CacheOptions given_;
};

// Throws Error (kInput, CACHE_UNSUPPORTED): a glTF file that is not baked is given as a cache.
[[noreturn]] void refuse_rig(const std::string& path);

// The text that options_text returns for a format with these options.
std::string options_text(std::span<const MethodParameter> options);

}  // namespace skinbake
