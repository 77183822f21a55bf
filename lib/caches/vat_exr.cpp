// OpenEXR, channels R, G and B as float or half, scan lines from the top; uncompressed, unless
// asked otherwise. OpenEXR writes the header, and all of what is compressed.
//
//   header       OpenEXR's
//   u64 x H      where each line is
//   line x H     i32 y, i32 bytes that follow; then W numbers of blue, of green, of red

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfOutputFile.h>

#include <array>
#include <cstring>
#include <exception>
#include <optional>
#include <vector>

#include "caches/vat_image.h"
#include "frames/halves.h"
#include "frames/transpose.h"

namespace skinbake {

namespace {

constexpr std::array<const char*, 3> kChannels{"R", "G", "B"};
constexpr std::size_t kLineHead = 8;

// OpenEXR writes its table of lines in a destructor, where errors are lost: they are kept here.
class FileStream final : public Imf::OStream {
 public:
  explicit FileStream(OutputFile& file) : Imf::OStream(file.path().c_str()), file_(file) {}

  void write(const char* bytes, int count) override {
    const auto size = static_cast<std::size_t>(count);
    try {
      if (!failure_) file_.write_at(bytes, size, place_);
    } catch (...) {
      failure_ = std::current_exception();
    }
    place_ += size;
  }
  std::uint64_t tellp() override { return place_; }
  void seekp(std::uint64_t place) override { place_ = place; }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  OutputFile& file_;
  std::uint64_t place_ = 0;
  std::exception_ptr failure_;
};

class MemoryStream final : public Imf::OStream {
 public:
  MemoryStream() : Imf::OStream("header") {}

  void write(const char* bytes, int count) override {
    const auto size = static_cast<std::size_t>(count);
    if (bytes_.size() < place_ + size) bytes_.resize(place_ + size);
    std::memcpy(bytes_.data() + place_, bytes, size);
    place_ += size;
  }
  std::uint64_t tellp() override { return place_; }
  void seekp(std::uint64_t place) override { place_ = place; }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::uint64_t place_ = 0;
};

class ExrImage final : public VatImage {
 public:
  ExrImage(const VatLayout& layout, bool is_half)
      : layout_(layout), half_(is_half), width_(static_cast<std::size_t>(layout.width)) {}

  std::string head() const override {
    MemoryStream stream;
    { const Imf::OutputFile empty(stream, header(Imf::NO_COMPRESSION), 0); }
    std::string bytes = stream.bytes();  // ends in the table, without a line
    const auto lines = static_cast<std::size_t>(layout_.height);
    const std::size_t table = bytes.size() - lines * sizeof(std::uint64_t);
    for (std::size_t y = 0; y < lines; ++y) {
      const std::uint64_t place = bytes.size() + y * row_bytes();
      std::memcpy(bytes.data() + table + y * sizeof place, &place, sizeof place);
    }
    return bytes;
  }

  std::size_t row_bytes() const override { return kLineHead + line_bytes(); }

  void start_row(char* row, std::int64_t column) const override {
    const std::size_t there = static_cast<std::size_t>(column) * bytes();
    for (std::size_t axis = 0; axis < kChannels.size(); ++axis) {
      std::memset(row + channel_place(axis) + there, 0, width_ * bytes() - there);
    }
  }

  void put_texels(const TexelTask& task, std::int64_t column, char* rows,
                  std::size_t stride) const override {
    alignas(64) std::array<float, std::size_t{kVerticesPerTile} * kFramesPerBlock> texels;
    for (std::size_t axis = 0; axis < kChannels.size(); ++axis) {
      make_texels(task, axis, texels.data());
      char* const to = rows + channel_place(axis) + static_cast<std::size_t>(column) * bytes();
      if (half_) {
        put_halves(texels.data(), task.vertices, to, stride);
      } else {
        transpose_to_rows(texels.data(), task.vertices, kFramesPerBlock,
                          reinterpret_cast<float*>(to), stride / sizeof(float));
      }
    }
  }

  void seal_row(std::int64_t y, char* row) override {
    const std::array<std::int32_t, 2> head{static_cast<std::int32_t>(y),
                                           static_cast<std::int32_t>(line_bytes())};
    static_assert(sizeof head == kLineHead);
    std::memcpy(row, head.data(), sizeof head);
  }

  std::string tail() const override { return {}; }
  std::size_t tail_bytes() const override { return 0; }

  // Half of the last bit below 1; a half is rounded to float before.
  double bound() const override { return half_ ? 0x1p-12 + 0x1p-25 : 0x1p-25; }

  void compress(const Rows& row, OutputFile& file) const override {
    FileStream stream(file);
    std::optional<Imf::OutputFile> image(std::in_place, stream, header(Imf::ZIP_COMPRESSION), 0);
    std::vector<char> line(row_bytes());
    Imf::FrameBuffer buffer;  // every line is the same memory
    for (std::size_t c = 0; c < kChannels.size(); ++c) {
      buffer.insert(kChannels[c],
                    Imf::Slice(pixel_type(), line.data() + channel_place(c), bytes(), 0));
    }
    image->setFrameBuffer(buffer);
    for (std::int64_t y = 0; y < layout_.height; ++y) {
      std::memcpy(line.data(), row(y), line.size());
      image->writePixels(1);
      stream.rethrow();
    }
    image.reset();
    stream.rethrow();
  }

 private:
  std::size_t bytes() const { return half_ ? sizeof(std::uint16_t) : sizeof(float); }
  std::size_t line_bytes() const { return kChannels.size() * width_ * bytes(); }
  Imf::PixelType pixel_type() const { return half_ ? Imf::HALF : Imf::FLOAT; }

  // In a row, where channels follow one another by their names.
  std::size_t channel_place(std::size_t axis) const {
    return kLineHead + (kChannels.size() - 1 - axis) * width_ * bytes();
  }

  Imf::Header header(Imf::Compression compression) const {
    Imf::Header header(static_cast<int>(layout_.width), static_cast<int>(layout_.height));
    header.compression() = compression;
    for (const char* name : kChannels) header.channels().insert(name, Imf::Channel(pixel_type()));
    return header;
  }

  static void put_halves(const float* texels, std::size_t vertices, char* rows,
                         std::size_t stride) {
    alignas(64) std::array<float, std::size_t{kVerticesPerTile} * kFramesPerBlock> by_frame;
    transpose_to_rows(texels, vertices, kFramesPerBlock, by_frame.data(), kVerticesPerTile);
    for (std::size_t frame = 0; frame < kFramesPerBlock; ++frame) {
      const float* from = by_frame.data() + frame * kVerticesPerTile;
      auto* to = reinterpret_cast<std::uint16_t*>(rows + frame * stride);
      round_to_halves(from, vertices, to);
    }
  }

  VatLayout layout_;
  bool half_;
  std::size_t width_;
};

}  // namespace

std::unique_ptr<VatImage> make_vat_exr(const VatLayout& layout, bool is_half) {
  return std::make_unique<ExrImage>(layout, is_half);
}

}  // namespace skinbake
