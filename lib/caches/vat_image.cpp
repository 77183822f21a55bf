#include "caches/vat_image.h"

#include <algorithm>
#include <vector>

namespace skinbake {

std::unique_ptr<VatImage> make_vat_image(OutputFile& file, const VatLayout& layout,
                                         const VatOptions& options) {
  return options.is_png ? make_vat_png(file, layout, options) : make_vat_exr(file, layout, options);
}

void write_vat_rows(const VatLayout& layout, const VatContent& content, VatImage& image) {
  constexpr std::size_t kAxes = 3;
  std::vector<double> texels(static_cast<std::size_t>(layout.width) * kAxes);
  std::int64_t frame = -1;
  const float* numbers = nullptr;  // of that frame
  for (std::int64_t y = 0; y < layout.height; ++y) {
    const VatLayout::Place place = layout.row(y);
    std::fill(texels.begin(), texels.end(), 0.0);
    if (place.count > 0) {
      if (place.frame != frame) numbers = content.read(frame = place.frame);
      content.fill(numbers + static_cast<std::size_t>(place.first_vertex) * kAxes,
                   std::span(texels).first(static_cast<std::size_t>(place.count) * kAxes));
    }
    image.write_row(texels);
  }
}

}  // namespace skinbake
