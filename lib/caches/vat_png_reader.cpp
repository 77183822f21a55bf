// libpng reads a PNG back.

#include <algorithm>
#include <new>
#include <vector>

#include "base/random_access_file.h"
#include "caches/png_calls.h"
#include "caches/vat_texels.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::size_t kColours = 3, kChannels = 4, kBytes = 2;
constexpr double kMost = 65535;

class PngSource final : public PngCalls {
 public:
  explicit PngSource(const std::string& path) : file_(path) {
    png_ =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, static_cast<PngCalls*>(this), fail, ignore);
    info_ = png_ == nullptr ? nullptr : png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_read_struct(&png_, &info_, nullptr);
      throw std::bad_alloc();
    }
    png_set_read_fn(png_, this, read);
  }
  ~PngSource() override { png_destroy_read_struct(&png_, &info_, nullptr); }

  [[noreturn]] void refuse(const char* message) const override {
    throw Error(ErrorKind::kInput, "CACHE_INVALID",
                "PNG: " + std::string(message) + "; bake it anew", {file_.path(), ""});
  }

 private:
  static void read(png_structp png, png_bytep data, std::size_t size) {
    PngSource& source = *static_cast<PngSource*>(png_get_io_ptr(png));
    source.transfer([&] {
      source.file_.read_at(data, size, source.place_);
      source.place_ += size;
    });
  }

  RandomAccessFile file_;
  std::uint64_t place_ = 0;
};

}  // namespace

void read_png_texels(const std::string& path, const TexelCounts& counts, const TakeTexels& take) {
  PngSource source(path);
  source.guarded([&] { png_read_info(source.png(), source.info()); });
  if (png_get_image_width(source.png(), source.info()) != counts.width ||
      png_get_image_height(source.png(), source.info()) != counts.height) {
    source.refuse("it has another size than its sidecar says");
  }
  if (png_get_bit_depth(source.png(), source.info()) != 8 * kBytes ||
      png_get_color_type(source.png(), source.info()) != PNG_COLOR_TYPE_RGB_ALPHA) {
    source.refuse("it is not of 16 bits, red, green, blue and alpha");
  }
  const auto width = static_cast<std::size_t>(counts.width);
  std::vector<unsigned char> row(width * kChannels * kBytes);
  std::vector<float> texels(width * kColours);
  for (std::int64_t y = 0; y < counts.height; ++y) {
    source.guarded([&] { png_read_row(source.png(), row.data(), nullptr); });
    for (std::size_t i = 0; i < texels.size(); ++i) {
      const unsigned char* from = &row[(i / kColours * kChannels + i % kColours) * kBytes];
      texels[i] = static_cast<float>((from[0] * 256 + from[1]) / kMost);
    }
    take(y, texels.data());
  }
  source.guarded([&] { png_read_end(source.png(), nullptr); });
}

}  // namespace skinbake
