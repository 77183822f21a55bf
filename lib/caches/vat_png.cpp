// 16-bit PNG, red, green, blue and an alpha of 65535, written by libpng. Without a gAMA or sRGB
// chunk, so that nobody thinks of colours; in stored blocks, unless they are to be compressed.
//
// libpng leaves by longjmp: what it can leave has no destructors, and exceptions wait.

#include <png.h>

#include <cmath>
#include <csetjmp>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "caches/vat_image.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr int kBits = 16;
constexpr double kSteps = 65535;
constexpr std::size_t kBytesPerTexel = 8, kChunkBytes = std::size_t{1} << 20;

class PngImage final : public VatImage {
 public:
  PngImage(OutputFile& file, const VatLayout& layout, bool compressed)
      : PngImage(file, static_cast<std::size_t>(layout.width) * kBytesPerTexel) {
    const auto width = static_cast<png_uint_32>(layout.width);
    const auto height = static_cast<png_uint_32>(layout.height);
    guarded([&] {
      png_set_write_fn(png_, this, write, [](png_structp) {});
      png_set_IHDR(png_, info_, width, height, kBits, PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                   PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
      png_set_compression_level(png_, compressed ? 9 : 0);
      png_set_compression_buffer_size(png_, kChunkBytes);
      png_set_filter(png_, PNG_FILTER_TYPE_DEFAULT, PNG_FILTER_NONE);
      png_write_info(png_, info_);
    });
  }
  ~PngImage() override { png_destroy_write_struct(&png_, &info_); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;

  void write_row(std::span<const double> texels) override {
    for (std::size_t i = 0; i < texels.size(); ++i) {
      const auto value = static_cast<unsigned>(std::floor(kSteps * texels[i] + 0.5));
      unsigned char* to = &row_[kBytesPerTexel * (i / 3) + 2 * (i % 3)];
      to[0] = static_cast<unsigned char>(value >> 8);
      to[1] = static_cast<unsigned char>(value & 0xFF);
    }
    guarded([this] { png_write_row(png_, row_.data()); });
  }

  void end() override {
    guarded([this] { png_write_end(png_, nullptr); });
  }

  double bound() const override { return 0.5 / kSteps; }

 private:
  // On its own, so that what it makes is freed if the rest of the construction fails.
  PngImage(OutputFile& file, std::size_t row_bytes) : file_(file), row_(row_bytes, 0xFF) {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, fail,
                                   [](png_structp, png_const_charp) {});
    info_ = png_ == nullptr ? nullptr : png_create_info_struct(png_);
    if (info_ != nullptr) return;
    png_destroy_write_struct(&png_, &info_);
    throw std::bad_alloc();
  }

  template <class Call>
  void guarded(const Call& call) {
    if (setjmp(png_jmpbuf(png_)) == 0) {
      call();
      return;
    }
    if (failure_) std::rethrow_exception(failure_);
    throw Error(ErrorKind::kOutput, "OUTPUT_NOT_WRITTEN",
                "libpng: " + std::string(message_) + "; write an .exr", {file_.path(), ""});
  }

  static PngImage& self(void* pointer) { return *static_cast<PngImage*>(pointer); }

  [[noreturn]] static void fail(png_structp png, png_const_charp message) {
    self(png_get_error_ptr(png)).message_ = message;
    png_longjmp(png, 1);
  }

  static void write(png_structp png, png_bytep data, std::size_t size) {
    PngImage& image = self(png_get_io_ptr(png));
    try {
      image.file_.write(data, size);
    } catch (...) {
      image.failure_ = std::current_exception();
    }
    if (image.failure_) png_error(png, "the file cannot be written");
  }

  OutputFile& file_;
  std::vector<unsigned char> row_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::exception_ptr failure_;
  const char* message_ = "";
};

}  // namespace

std::unique_ptr<VatImage> make_vat_png(OutputFile& file, const VatLayout& layout,
                                       const VatOptions& options) {
  return std::make_unique<PngImage>(file, layout, options.compressed);
}

}  // namespace skinbake
