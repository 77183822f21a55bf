// PNG textures: 16 bits, red, green, blue and an alpha of 65535; stored blocks unless compress=1,
// so that the bytes do not depend on the version of zlib. With split=8 two images of 8 bits, red,
// green and blue: the high bytes and the low bytes. They have no alpha, so that browsers do not
// multiply colours by it. There is no gAMA or sRGB chunk, so that programs do not convert colours.

#include <png.h>

#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/random_access_file.h"
#include "caches/vat/image.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr double kSteps = 65535;

struct PixelForm {
  int bits, colour_type;
  std::size_t bytes;  // of a texel
};
constexpr PixelForm kWholeForm{16, PNG_COLOR_TYPE_RGB_ALPHA, 8},
    kByteForm{8, PNG_COLOR_TYPE_RGB, 3};

constexpr const PixelForm& form_of(PngPart part) {
  return part == PngPart::kWhole ? kWholeForm : kByteForm;
}

constexpr std::size_t kColourBytes = 6;  // of a texel of 16 bits

// The base class for calls of libpng. libpng reports errors by longjmp, which does not run
// destructors. A call that longjmp may leave therefore does not create objects with destructors. An
// exception of a transfer is stored, and thrown after longjmp.
class PngCalls {
 public:
  PngCalls() = default;
  virtual ~PngCalls() = default;
  PngCalls(const PngCalls&) = delete;
  PngCalls& operator=(const PngCalls&) = delete;

  // Calls call(), which calls libpng. On an error, throws the stored exception of a transfer; if
  // there is none, refuse() throws.
  template <class Call>
  void guarded(const Call& call) {
    if (setjmp(png_jmpbuf(png_)) == 0) {
      call();
      return;
    }
    if (failure_) std::rethrow_exception(failure_);
    refuse(message_.data());
  }

  png_structp png() { return png_; }
  png_infop info() { return info_; }

 protected:
  [[noreturn]] virtual void refuse(const char* message) const = 0;

  // Error and warning functions for libpng. fail() copies the message, which may be a local
  // variable of libpng.
  [[noreturn]] static void fail(png_structp png, png_const_charp message) {
    std::array<char, 100>& stored = static_cast<PngCalls*>(png_get_error_ptr(png))->message_;
    std::snprintf(stored.data(), stored.size(), "%s", message);
    png_longjmp(png, 1);
  }
  static void ignore(png_structp, png_const_charp) {}

  // Transfers bytes from or to a file, within a read or write function of libpng.
  template <class Move>
  void transfer(const Move& move) {
    try {
      move();
    } catch (...) {
      failure_ = std::current_exception();
    }
    if (failure_) png_error(png_, "the file cannot be read or written");
  }

  png_structp png_ = nullptr;
  png_infop info_ = nullptr;

 private:
  std::exception_ptr failure_;
  std::array<char, 100> message_{};
};

class PngImage final : public VatImage, private PngCalls {
 public:
  PngImage(const VatLayout& layout, PngPart part, bool is_compressed, OutputFile& file)
      : part_(part),
        form_(form_of(part)),
        width_(static_cast<std::size_t>(layout.width)),
        file_(file) {
    png_ =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, static_cast<PngCalls*>(this), fail, ignore);
    info_ = png_ == nullptr ? nullptr : png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_write_struct(&png_, &info_);
      throw std::bad_alloc();
    }
    png_set_write_fn(png_, this, write, [](png_structp) {});
    start(layout, is_compressed);
  }
  ~PngImage() override { png_destroy_write_struct(&png_, &info_); }

  std::size_t row_bytes() const override { return width_ * form_.bytes; }

  void start_row(char* row, std::int64_t column) const override {
    auto* const to = reinterpret_cast<unsigned char*>(row);
    for (auto x = static_cast<std::size_t>(column); x < width_; ++x) {
      std::memset(to + x * form_.bytes, 0, form_.bytes);
      if (part_ == PngPart::kWhole) std::memset(to + x * form_.bytes + kColourBytes, 0xFF, 2);
    }
  }

  void put_texels(const TexelTask& task, std::int64_t column, char* rows,
                  std::size_t stride) const override {
    auto* const to =
        reinterpret_cast<unsigned char*>(rows) + static_cast<std::size_t>(column) * form_.bytes;
    if (part_ == PngPart::kWhole) {
      put_png_texels(task, to, stride);
    } else {
      put_bytes(task, to, stride);
    }
  }

  void write_rows(const char* rows, std::size_t count) override {
    guarded([&] {
      for (std::size_t i = 0; i < count; ++i) {
        png_write_row(png_, reinterpret_cast<png_const_bytep>(rows) + i * row_bytes());
      }
    });
  }

  std::uint64_t end() override {
    guarded([&] { png_write_end(png_, nullptr); });
    return size_;
  }

  double bound() const override { return 0.5 / kSteps; }

 private:
  void start(const VatLayout& layout, bool is_compressed) {
    constexpr std::size_t kBuffer = std::size_t{1} << 20;
    guarded([&] {
      png_set_compression_level(png_, is_compressed ? 9 : 0);
      png_set_compression_buffer_size(png_, kBuffer);
      png_set_filter(png_, PNG_FILTER_TYPE_DEFAULT, PNG_FILTER_NONE);
      png_set_IHDR(png_, info_, static_cast<png_uint_32>(layout.width),
                   static_cast<png_uint_32>(layout.height), form_.bits, form_.colour_type,
                   PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
      png_write_info(png_, info_);
    });
  }

  [[noreturn]] void refuse(const char* message) const override {
    throw Error("OUTPUT_NOT_WRITTEN", "libpng: " + std::string(message) + "; write an EXR instead",
                {file_.path(), ""});
  }

  static void write(png_structp png, png_bytep data, std::size_t size) {
    PngImage& image = *static_cast<PngImage*>(png_get_io_ptr(png));
    image.transfer([&] { image.file_.write(data, size); });
    image.size_ += size;
  }

  // Stores one byte of each integer.
  void put_bytes(const TexelTask& task, unsigned char* rows, std::size_t stride) const {
    constexpr std::size_t kRow = kVerticesPerTile * kWholeForm.bytes;
    std::array<unsigned char, kRow * kFramesPerBlock> whole;
    put_png_texels(task, whole.data(), kRow);
    const std::size_t byte = part_ == PngPart::kHighBytes ? 0 : 1;
    for (std::size_t frame = 0; frame < kFramesPerBlock; ++frame) {
      const unsigned char* from = whole.data() + frame * kRow + byte;
      unsigned char* to = rows + frame * stride;
      for (std::size_t v = 0; v < task.vertices; ++v) {
        for (std::size_t axis = 0; axis < 3; ++axis) *to++ = from[2 * axis];
        from += kWholeForm.bytes;
      }
    }
  }

  PngPart part_;
  PixelForm form_;
  std::size_t width_;
  OutputFile& file_;
  std::uint64_t size_ = 0;
};

constexpr std::size_t kColours = 3;

// Reads a PNG through libpng, from the top.
class PngSource final : public PngCalls {
 public:
  PngSource(const std::string& path, const TextureSize& size, const PixelForm& form)
      : PngSource(path) {
    guarded([&] { png_read_info(png_, info_); });
    if (png_get_image_width(png_, info_) != size.width ||
        png_get_image_height(png_, info_) != size.height) {
      refuse("its size differs from that in its sidecar");
    }
    if (png_get_bit_depth(png_, info_) != form.bits ||
        png_get_color_type(png_, info_) != form.colour_type) {
      refuse(form.bits == kWholeForm.bits ? "its pixels are not 16-bit RGBA"
                                          : "its pixels are not 8-bit RGB");
    }
    row_.resize(static_cast<std::size_t>(size.width) * form.bytes);
  }
  ~PngSource() override { png_destroy_read_struct(&png_, &info_, nullptr); }

  const unsigned char* next_row() {
    guarded([&] { png_read_row(png_, row_.data(), nullptr); });
    return row_.data();
  }
  void end() {
    guarded([&] { png_read_end(png_, nullptr); });
  }

  [[noreturn]] void refuse(const char* message) const override {
    throw Error("CACHE_INVALID", "PNG: " + std::string(message), {file_.path(), ""});
  }

 private:
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

  static void read(png_structp png, png_bytep data, std::size_t size) {
    PngSource& source = *static_cast<PngSource*>(png_get_io_ptr(png));
    source.transfer([&] {
      source.file_.read_at(data, size, source.position_);
      source.position_ += size;
    });
  }

  RandomAccessFile file_;
  std::uint64_t position_ = 0;
  std::vector<unsigned char> row_;
};

// Calls take for each row. next_row() returns a function of (x, colour): the integers of the row.
template <class NextRow>
void take_rows(const TextureSize& size, const TakeTexels& take, const NextRow& next_row) {
  std::vector<float> texels(static_cast<std::size_t>(size.width) * kColours);
  for (std::int64_t y = 0; y < size.height; ++y) {
    const auto step = next_row();
    for (std::size_t i = 0; i < texels.size(); ++i) {
      texels[i] = static_cast<float>(step(i / kColours, i % kColours) / kSteps);
    }
    take(y, texels.data());
  }
}

}  // namespace

std::unique_ptr<VatImage> make_vat_png(const VatLayout& layout, PngPart part, bool is_compressed,
                                       OutputFile& file) {
  return std::make_unique<PngImage>(layout, part, is_compressed, file);
}

void read_png_texels(const std::string& path, const TextureSize& size, const TakeTexels& take) {
  PngSource source(path, size, kWholeForm);
  take_rows(size, take, [&] {
    return [row = source.next_row()](std::size_t x, std::size_t colour) {
      const unsigned char* from = row + x * kWholeForm.bytes + 2 * colour;
      return from[0] * 256 + from[1];
    };
  });
  source.end();
}

void read_split_png_texels(const std::string& high, const std::string& low, const TextureSize& size,
                           const TakeTexels& take) {
  PngSource highs(high, size, kByteForm), lows(low, size, kByteForm);
  take_rows(size, take, [&] {
    return [h = highs.next_row(), l = lows.next_row()](std::size_t x, std::size_t colour) {
      const std::size_t i = x * kByteForm.bytes + colour;
      return h[i] * 256 + l[i];
    };
  });
  highs.end();
  lows.end();
}

}  // namespace skinbake
