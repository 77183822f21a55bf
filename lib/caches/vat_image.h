// A texture while it is written, row by row from the top.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "caches/vat_layout.h"
#include "skinbake/output_file.h"

namespace skinbake {

class VatImage {
 public:
  virtual ~VatImage() = default;

  // Red, green, blue of each texel, 0 … 1; as many rows as the image has.
  virtual void write_row(std::span<const double> texels) = 0;
  virtual void end() = 0;

  // The largest error that a value may have.
  virtual double bound() const = 0;
};

// They write to `file`, which must outlive them, and throw Error (kOutput).
std::unique_ptr<VatImage> make_vat_png(OutputFile& file, const VatLayout& layout,
                                       const VatOptions& options);
std::unique_ptr<VatImage> make_vat_exr(OutputFile& file, const VatLayout& layout,
                                       const VatOptions& options);
// The one that the options ask for.
std::unique_ptr<VatImage> make_vat_image(OutputFile& file, const VatLayout& layout,
                                         const VatOptions& options);

// What a texture holds.
struct VatContent {
  // The numbers of a frame, [vertex][axis]; they stay until the next one is asked for.
  std::function<const float*(std::int64_t frame)> read;
  // Makes texels of the numbers of some vertices.
  std::function<void(const float* numbers, std::span<double> texels)> fill;
};
void write_vat_rows(const VatLayout& layout, const VatContent& content, VatImage& image);

}  // namespace skinbake
