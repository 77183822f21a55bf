// PNG textures: 16 bits, red, green, blue and an alpha of 65535; stored blocks unless compress=1.
// With split=8 two images of 8 bits, red, green and blue: the high bytes and the low bytes. They
// have no alpha, so that browsers do not multiply colours by it. There is no gAMA or sRGB chunk, so
// that programs do not convert colours.
//
//   signature, IHDR   written by libpng
//   IDAT              the zlib header
//   IDAT x H          a row: stored blocks of up to 4096 texels; the filter, 0, precedes the first
//   IDAT              an empty last block, Adler-32 of all rows
//   IEND
//
// libpng writes the other chunks and compressed textures, and reads textures back. Stored rows are
// written here: libpng takes rows only in order and passes each through zlib. For 100 000 vertices
// in 240 frames it takes 462 ms against 115 ms: 4 times as long, where 1.5 would be acceptable.

#include <libdeflate.h>
#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/files/random_access_file.h"
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

// A stored block has at most 65535 bytes.
constexpr std::size_t kStoredTexels = 4096, kStoredHead = 5;
constexpr std::size_t kColourBytes = 6;  // of a texel of 16 bits
constexpr std::size_t kChunkHead = 8, kChunkTail = 4, kFilterBytes = 1;

constexpr std::array<unsigned char, 2> kZlibHead{0x78, 0x01};
constexpr std::array<unsigned char, 5> kLastBlock{1, 0, 0, 0xFF, 0xFF};

void put_u32(std::uint32_t number, unsigned char* to) {
  for (int i = 0; i < 4; ++i) to[i] = static_cast<unsigned char>(number >> (24 - 8 * i));
}

// The base class for calls of libpng. libpng reports errors by longjmp, which does not run
// destructors. A call that longjmp may leave therefore does not create objects with destructors. An
// exception of a transfer is stored, and thrown after longjmp.
class PngCalls {
 public:
  PngCalls() = default;
  virtual ~PngCalls() = default;
  PngCalls(const PngCalls&) = delete;
  PngCalls& operator=(const PngCalls&) = delete;

  // Calls call(), which calls libpng. On an error, throws the stored exception of a transfer, else
  // that of refuse().
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

// Writes a PNG through libpng.
class PngStream final : public PngCalls {
 public:
  using Put = std::function<void(const void* data, std::size_t size)>;

  // `path`: for messages.
  PngStream(std::string path, Put put) : path_(std::move(path)), put_(std::move(put)) {
    png_ =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, static_cast<PngCalls*>(this), fail, ignore);
    info_ = png_ == nullptr ? nullptr : png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_write_struct(&png_, &info_);
      throw std::bad_alloc();
    }
    png_set_write_fn(png_, this, write, [](png_structp) {});
  }
  ~PngStream() override { png_destroy_write_struct(&png_, &info_); }

  // Signature and IHDR.
  void write_info(const VatLayout& layout, const PixelForm& form) {
    guarded([&] {
      png_set_IHDR(png_, info_, static_cast<png_uint_32>(layout.width),
                   static_cast<png_uint_32>(layout.height), form.bits, form.colour_type,
                   PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
      png_write_info(png_, info_);
    });
  }

  void write_chunk(const char* name, const void* data, std::size_t size) {
    guarded([&] {
      png_write_chunk(png_, reinterpret_cast<png_const_bytep>(name),
                      static_cast<png_const_bytep>(data), size);
    });
  }

 private:
  [[noreturn]] void refuse(const char* message) const override {
    throw Error(ErrorKind::kOutput, "OUTPUT_NOT_WRITTEN",
                "libpng: " + std::string(message) + "; write an EXR instead", {path_, ""});
  }

  static void write(png_structp png, png_bytep data, std::size_t size) {
    PngStream& stream = *static_cast<PngStream*>(png_get_io_ptr(png));
    stream.transfer([&] { stream.put_(data, size); });
  }

  std::string path_;
  Put put_;
};

// Returns the bytes that write(stream) writes.
template <class Write>
std::string written(const Write& write) {
  std::string bytes;
  PngStream stream("", [&](const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  });
  write(stream);
  return bytes;
}

class PngImage final : public VatImage {
 public:
  PngImage(const VatLayout& layout, PngPart part)
      : layout_(layout),
        part_(part),
        form_(form_of(part)),
        width_(static_cast<std::size_t>(layout.width)),
        adlers_(static_cast<std::size_t>(layout.height)) {}

  std::string head() const override {
    return written([&](PngStream& stream) {
      stream.write_info(layout_, form_);
      stream.write_chunk("IDAT", kZlibHead.data(), kZlibHead.size());
    });
  }

  std::size_t row_bytes() const override { return kChunkHead + content_bytes() + kChunkTail; }

  void start_row(char* row, std::int64_t column) const override {
    auto* to = reinterpret_cast<unsigned char*>(row);
    put_u32(static_cast<std::uint32_t>(content_bytes()), to);
    std::memcpy(to + 4, "IDAT", 4);
    for_each_stored([&](std::size_t offset, std::size_t size) {
      unsigned char* head = to + offset - kStoredHead;
      const auto low = static_cast<unsigned char>(size & 0xFF);
      const auto high = static_cast<unsigned char>(size >> 8);
      const std::array<unsigned, kStoredHead> bytes{0, low, high, low ^ 0xFFU, high ^ 0xFFU};
      std::copy(bytes.begin(), bytes.end(), head);
    });
    to[texel_offset(0) - kFilterBytes] = 0;
    for (auto x = static_cast<std::size_t>(column); x < width_; ++x) {
      std::memset(to + texel_offset(x), 0, form_.bytes);
      if (part_ == PngPart::kWhole) std::memset(to + texel_offset(x) + kColourBytes, 0xFF, 2);
    }
  }

  void put_texels(const TexelTask& task, std::int64_t column, char* rows,
                  std::size_t stride) const override {
    TexelTask part = task;
    auto x = static_cast<std::size_t>(column);
    for (std::size_t v = 0; v < task.vertices; v += part.vertices, x += part.vertices) {
      part.lanes = task.lanes + v * 3 * kFramesPerBlock;
      part.base = task.base + v * 3;
      part.vertices = std::min(task.vertices - v, kStoredTexels - x % kStoredTexels);
      auto* const to = reinterpret_cast<unsigned char*>(rows) + texel_offset(x);
      if (part_ == PngPart::kWhole) {
        put_png_texels(part, to, stride);
      } else {
        put_bytes(part, to, stride);
      }
    }
  }

  void seal_row(std::int64_t y, char* row) override {
    std::uint32_t adler = 1;
    for_each_stored([&](std::size_t offset, std::size_t size) {
      adler = libdeflate_adler32(adler, row + offset, size);
    });
    adlers_[static_cast<std::size_t>(y)] = adler;
    const std::uint32_t crc = libdeflate_crc32(0, row + 4, row_bytes() - 4 - kChunkTail);
    put_u32(crc, reinterpret_cast<unsigned char*>(row) + row_bytes() - kChunkTail);
  }

  std::string tail() const override {
    uLong adler = 1;
    const auto row = static_cast<z_off_t>(kFilterBytes + width_ * form_.bytes);
    for (const std::uint32_t next : adlers_) adler = adler32_combine(adler, next, row);
    std::array<unsigned char, kLastBlock.size() + 4> last;
    std::copy(kLastBlock.begin(), kLastBlock.end(), last.begin());
    put_u32(static_cast<std::uint32_t>(adler), last.data() + kLastBlock.size());
    return written([&](PngStream& stream) {
      stream.write_chunk("IDAT", last.data(), last.size());
      stream.write_chunk("IEND", nullptr, 0);
    });
  }

  std::size_t tail_bytes() const override {
    return 2 * (kChunkHead + kChunkTail) + kLastBlock.size() + 4;
  }

  double bound() const override { return 0.5 / kSteps; }

  void compress(const Rows& row, OutputFile& file) const override {
    constexpr std::size_t kBuffer = std::size_t{1} << 20;
    PngStream stream(file.path(),
                     [&](const void* data, std::size_t size) { file.write(data, size); });
    stream.guarded([&] {
      png_set_compression_level(stream.png(), 9);
      png_set_compression_buffer_size(stream.png(), kBuffer);
      png_set_filter(stream.png(), PNG_FILTER_TYPE_DEFAULT, PNG_FILTER_NONE);
    });
    stream.write_info(layout_, form_);
    std::vector<unsigned char> texels(width_ * form_.bytes);
    for (std::int64_t y = 0; y < layout_.height; ++y) {
      const char* from = row(y);
      for (std::size_t x = 0; x < width_; x += kStoredTexels) {
        std::memcpy(texels.data() + x * form_.bytes, from + texel_offset(x),
                    std::min(kStoredTexels, width_ - x) * form_.bytes);
      }
      stream.guarded([&] { png_write_row(stream.png(), texels.data()); });
    }
    stream.guarded([&] { png_write_end(stream.png(), nullptr); });
  }

 private:
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

  std::size_t content_bytes() const {
    const std::size_t blocks = (width_ + kStoredTexels - 1) / kStoredTexels;
    return blocks * kStoredHead + kFilterBytes + width_ * form_.bytes;
  }

  // Offset of a texel in a row.
  std::size_t texel_offset(std::size_t x) const {
    const std::size_t blocks = x / kStoredTexels + 1;
    return kChunkHead + blocks * kStoredHead + kFilterBytes + x * form_.bytes;
  }

  // Calls visit(offset in a row, bytes) for the content of each stored block.
  template <class Visit>
  void for_each_stored(const Visit& visit) const {
    for (std::size_t x = 0; x < width_; x += kStoredTexels) {
      const std::size_t filter = x == 0 ? kFilterBytes : 0;
      visit(texel_offset(x) - filter, filter + std::min(kStoredTexels, width_ - x) * form_.bytes);
    }
  }

  VatLayout layout_;
  PngPart part_;
  PixelForm form_;
  std::size_t width_;
  std::vector<std::uint32_t> adlers_;  // [row] Adler-32 of the row alone
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

  // Returns the bytes of the next row.
  const unsigned char* next_row() {
    guarded([&] { png_read_row(png_, row_.data(), nullptr); });
    return row_.data();
  }
  void end() {
    guarded([&] { png_read_end(png_, nullptr); });
  }

  [[noreturn]] void refuse(const char* message) const override {
    throw Error(ErrorKind::kInput, "CACHE_INVALID",
                "PNG: " + std::string(message) + "; bake it again", {file_.path(), ""});
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

std::unique_ptr<VatImage> make_vat_png(const VatLayout& layout, PngPart part) {
  return std::make_unique<PngImage>(layout, part);
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
