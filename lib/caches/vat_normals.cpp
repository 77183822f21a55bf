#include "caches/vat_normals.h"

#include <algorithm>
#include <cmath>

#include "base/aligned_array.h"
#include "base/random_access_file.h"
#include "caches/vat_image.h"
#include "json/json_writer.h"

namespace skinbake {

VatNormals::VatNormals(const std::string& path, const VatLayout& layout, const VatOptions& options,
                       NormalKind kind)
    : layout_(layout),
      options_(options),
      kind_(kind),
      spool_(layout.vertices, layout.frames),
      file_(vat_normals_path(path)) {}

void VatNormals::write() {
  AlignedArray<float> row(static_cast<std::size_t>(layout_.vertices) * 3);
  const auto read = [&](std::int64_t frame) {
    spool_.read(frame, 1, row.data());
    return static_cast<const float*>(row.data());
  };
  // What is 1 along an axis may be rounded to more.
  const auto fill = [](const float* numbers, std::span<double> texels) {
    for (std::size_t i = 0; i < texels.size(); ++i) {
      texels[i] = (std::clamp(double{numbers[i]}, -1.0, 1.0) + 1) / 2;
    }
  };
  const std::unique_ptr<VatImage> image = make_vat_image(file_, layout_, options_);
  write_vat_rows(layout_, {read, fill}, *image);
  image->end();
  constexpr double kRounding = 0x1p-23;  // beyond 1, and of the float that is read
  bound_ = std::sqrt(3.0) * (2 * image->bound() + kRounding);
}

void VatNormals::describe(JsonWriter& json) const {
  const RandomAccessFile written(file_.readable_path());
  const std::string& path = file_.path();
  json.begin_object().key("file").value(path.substr(path.rfind('/') + 1));
  json.key("bytes").value(written.size()).key("xxh128").value(written.xxh128()).end_object();
}

}  // namespace skinbake
