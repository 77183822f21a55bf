// The image formats of vertex animation textures: EXR and PNG. OpenEXR or libpng writes an image,
// row by row from the top, and reads it back.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/output_file.h"
#include "caches/kernels/kernels.h"
#include "caches/vat/layout.h"

namespace skinbake {

class VatImage {
 public:
  virtual ~VatImage() = default;

  virtual std::size_t row_bytes() const = 0;  // a multiple of 4 if texels are floats

  // Initialises a row; its texels from `column` on are 0.
  virtual void start_row(char* row, std::int64_t column) const = 0;
  // Stores the texels of some vertices in 16 frames, the first vertex at `column`. The row of frame
  // f is at rows + f * stride (bytes).
  virtual void put_texels(const TexelTask& task, std::int64_t column, char* rows,
                          std::size_t stride) const = 0;

  // Writes the next rows of the file. Throws Error (kOutput).
  virtual void write_rows(const char* rows, std::size_t count) = 0;
  // Completes the file after the last row; returns its size. Throws Error (kOutput).
  virtual std::uint64_t end() = 0;

  // The largest rounding error of a texel.
  virtual double bound() const = 0;
};

// The part of its texels' 16-bit integers that a PNG stores: all bits (RGBA), or one byte of each
// (RGB).
enum class PngPart { kWhole, kHighBytes, kLowBytes };

// The file must outlive the image.
std::unique_ptr<VatImage> make_vat_png(const VatLayout& layout, PngPart part, bool is_compressed,
                                       OutputFile& file);
std::unique_ptr<VatImage> make_vat_exr(const VatLayout& layout, bool is_half, bool is_compressed,
                                       OutputFile& file);

struct TextureSize {
  std::int64_t width = 0, height = 0;  // texels
};

// Receives row y, from the top: [x][red, green, blue], 0 … 1.
using TakeTexels = std::function<void(std::int64_t y, const float* texels)>;

// Decode an image with OpenEXR or libpng, one row in memory at a time. Throw Error (kInput) if the
// file is not an image of the format or has another size.
void read_exr_texels(const std::string& path, const TextureSize& size, const TakeTexels& take);
void read_png_texels(const std::string& path, const TextureSize& size, const TakeTexels& take);

// The same for the integers of two PNGs: their high and their low bytes.
void read_split_png_texels(const std::string& high, const std::string& low, const TextureSize& size,
                           const TakeTexels& take);

}  // namespace skinbake
