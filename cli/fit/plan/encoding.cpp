#include "fit/plan/encoding.h"

#include <charconv>

#include "options/parsing/usage_error.h"
#include "outputs/format_options.h"
#include "skinbake/caches.h"

namespace skinbake::cli {

namespace {

constexpr int kUsualBits = 16;

// A value that the format has checked.
int number_of(const std::string& text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

FitEncoding fit_encoding(const std::vector<std::string>& texts) {
  const std::string output = "fit.glb";
  require_outputs_of(texts, {output});
  const CacheFormat& glb = cache_format_of(output);
  const FormatOptions options = options_of(glb, texts);
  glb.keeps_normals(options);  // checks the values, and that meshopt and bits have quantize
  FitEncoding encoding;
  for (const auto& [name, value] : options) {
    if (name == "quantize") {
      encoding.changes.quantize = value == "1";
    } else if (name == "meshopt") {
      encoding.changes.meshopt = value == "1";
    } else if (name == "bits") {
      encoding.bits = number_of(value);
    } else {
      throw UsageError("--format", "glb:" + name + " is for baked frames; a fitted rig has the " +
                                       "options quantize, bits and meshopt");
    }
  }
  if (encoding.changes.quantize && !encoding.bits) encoding.bits = kUsualBits;
  return encoding;
}

}  // namespace skinbake::cli
