// What --format vat:… says.

#pragma once

#include <map>
#include <string>
#include <string_view>

namespace skinbake {

struct VatOptions {
  enum class Layout { kUnreal, kOpenVat } layout = Layout::kUnreal;
  bool is_png = false;      // else EXR; the extension says
  bool half = false;        // precision, of an EXR
  bool compressed = false;  // by zlib, whose next version may write other bytes
  bool normals = false;     // those that the header has, in a texture of their own
};

inline constexpr std::string_view kVatOptions =
    "layout=unreal|openvat, precision=single|half, compress=0|1, normals=0|1";

// Throws Error (kUsage) for an option or a value that there is not.
VatOptions parse_vat_options(const std::string& path,
                             const std::map<std::string, std::string>& options);

// Where the normals of a texture are.
std::string vat_normals_path(const std::string& path);

}  // namespace skinbake
