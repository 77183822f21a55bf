// The options of a vertex animation texture.

#pragma once

#include <array>
#include <string>

#include "caches/format_list.h"

namespace skinbake {

struct VatOptions {
  enum class Layout { kUnreal, kOpenVat } layout = Layout::kUnreal;
  bool is_png = false;      // else EXR; the extension decides
  bool half = false;        // half precision, EXR only
  bool compressed = false;  // by zlib, whose next version may write other bytes
  bool normals = false;     // a second texture with the normals of the header
  bool split = false;       // PNG only: two textures of 8 bits instead of each of 16
};

inline constexpr std::array kVatOptions{
    MethodParameter{.name = "layout",
                    .help = "Order of the rows: as in AnimToTexture or in OpenVAT",
                    .choices = "unreal|openvat"},
    MethodParameter{.name = "precision",
                    .help = "Texels of an EXR as float32 or float16",
                    .choices = "single|half"},
    format_switch("compress", "Texture compressed by zlib"),
    format_switch("normals", "A second texture with the normals"),
    MethodParameter{.name = "split",
                    .help = "Each PNG as two of 8 bits, for browsers: high bytes, low bytes",
                    .choices = "0|8"}};

// Throws Error (kUsage, FORMAT_OPTION_UNKNOWN).
VatOptions parse_vat_options(const std::string& path, const CacheOptions& options);

// The path of the texture of normals beside a texture.
std::string vat_normals_path(const std::string& path);

// The path of the low bytes beside a texture of high bytes.
std::string vat_low_path(const std::string& path);

}  // namespace skinbake
