#include "caches/vat/options.h"

#include "base/paths.h"

namespace skinbake {

VatOptions parse_vat_options(const std::string& path, const CacheOptions& options) {
  const FormatOptions given("vat", kVatOptions, options);
  VatOptions parsed;
  parsed.is_png = has_extension(path, ".png");
  if (parsed.is_png && given.is_given("precision")) {
    given.fail("a PNG has 16-bit integers and no choice of precision; leave out precision=" +
               std::string(given.word("precision")));
  }
  if (given.word("layout") == "openvat") parsed.layout = VatOptions::Layout::kOpenVat;
  parsed.half = given.word("precision") == "half";
  parsed.compressed = given.is_on("compress");
  parsed.normals = given.is_on("normals");
  parsed.split = given.word("split") == "8";
  if (parsed.split && !parsed.is_png && !path.empty()) {
    given.fail(
        "an EXR has floating-point texels, not the 16-bit integers that split=8 divides; leave out "
        "split=8, or write the .png in a run without '" +
        path + "'");
  }
  return parsed;
}

std::string vat_normals_path(const std::string& path) {
  return path + ".normals" + (has_extension(path, ".png") ? ".png" : ".exr");
}

std::string vat_low_path(const std::string& path) {
  return path + ".low.png";
}

}  // namespace skinbake
