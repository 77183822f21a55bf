#include "caches/vat_options.h"

#include <cctype>

#include "skinbake/error.h"

namespace skinbake {

namespace {

bool ends_in_png(const std::string& path) {
  return path.size() > 3 && std::tolower(static_cast<unsigned char>(path.back())) == 'g';
}

}  // namespace

VatOptions parse_vat_options(const std::string& path,
                             const std::map<std::string, std::string>& options) {
  const auto fail = [](const std::string& what) {
    throw Error(ErrorKind::kUsage, "FORMAT_OPTION_UNKNOWN", "--format vat: " + what);
  };
  VatOptions parsed;
  parsed.is_png = ends_in_png(path);
  for (const auto& [name, value] : options) {
    if (name == "layout" && (value == "unreal" || value == "openvat")) {
      parsed.layout =
          value == "unreal" ? VatOptions::Layout::kUnreal : VatOptions::Layout::kOpenVat;
    } else if (name == "precision" && (value == "single" || value == "half")) {
      if (parsed.is_png) {
        fail("a PNG has 16-bit integers; leave out precision=" + value +
             "; --precision half is for other outputs beside it");
      }
      parsed.half = value == "half";
    } else if (name == "compress" && (value == "0" || value == "1")) {
      parsed.compressed = value == "1";
    } else if (name == "normals" && (value == "0" || value == "1")) {
      parsed.normals = value == "1";
    } else {
      fail("no '" + name + "=" + value + "'; there is " + std::string(kVatOptions));
    }
  }
  return parsed;
}

std::string vat_normals_path(const std::string& path) {
  return path + ".normals" + (ends_in_png(path) ? ".png" : ".exr");
}

}  // namespace skinbake
