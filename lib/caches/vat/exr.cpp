// EXR textures: channels R, G and B as float or half, scan lines from the top, uncompressed unless
// compress=1.
//
//   header       written by OpenEXR
//   u64 x H      offset of each line
//   line x H     i32 y, i32 bytes that follow; then W numbers of blue, of green, of red
//
// OpenEXR writes the header and compressed textures, and reads textures back. Uncompressed lines
// are written here: OpenEXR takes lines only in order and copies each one. For 100 000 vertices in
// 240 frames it takes 409 ms against 105 ms: 3.9 times as long, where 1.5 would be acceptable.

#include <IexErrnoExc.h>
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputFile.h>
#include <ImfOutputFile.h>

#include <array>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <vector>

#include "caches/kernels/halves.h"
#include "caches/vat/image.h"
#include "frames/transpose.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::array<const char*, 3> kChannels{"R", "G", "B"};
constexpr std::size_t kLineHead = 8;

// OpenEXR writes its table of lines in a destructor, which cannot throw: the stream stores the
// error.
class FileStream final : public Imf::OStream {
 public:
  explicit FileStream(OutputFile& file) : Imf::OStream(file.path().c_str()), file_(file) {}

  void write(const char* bytes, int count) override {
    const auto size = static_cast<std::size_t>(count);
    try {
      if (!failure_) file_.write_at(bytes, size, position_);
    } catch (...) {
      failure_ = std::current_exception();
    }
    position_ += size;
  }
  std::uint64_t tellp() override { return position_; }
  void seekp(std::uint64_t position) override { position_ = position; }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  OutputFile& file_;
  std::uint64_t position_ = 0;
  std::exception_ptr failure_;
};

class MemoryStream final : public Imf::OStream {
 public:
  MemoryStream() : Imf::OStream("header") {}

  void write(const char* bytes, int count) override {
    const auto size = static_cast<std::size_t>(count);
    if (bytes_.size() < position_ + size) bytes_.resize(position_ + size);
    std::memcpy(bytes_.data() + position_, bytes, size);
    position_ += size;
  }
  std::uint64_t tellp() override { return position_; }
  void seekp(std::uint64_t position) override { position_ = position; }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::uint64_t position_ = 0;
};

class ExrImage final : public VatImage {
 public:
  ExrImage(const VatLayout& layout, bool is_half)
      : layout_(layout), half_(is_half), width_(static_cast<std::size_t>(layout.width)) {}

  std::string head() const override {
    MemoryStream stream;
    try {
      const Imf::OutputFile empty(stream, header(Imf::NO_COMPRESSION), 0);
    } catch (const Iex::EnomemExc&) {  // OpenEXR has another exception for want of memory
      throw std::bad_alloc();
    }
    std::string bytes = stream.bytes();  // ends with the table of offsets
    const auto lines = static_cast<std::size_t>(layout_.height);
    const std::size_t table = bytes.size() - lines * sizeof(std::uint64_t);
    for (std::size_t y = 0; y < lines; ++y) {
      const std::uint64_t offset = bytes.size() + y * row_bytes();
      std::memcpy(bytes.data() + table + y * sizeof offset, &offset, sizeof offset);
    }
    return bytes;
  }

  std::size_t row_bytes() const override { return kLineHead + line_bytes(); }

  void start_row(char* row, std::int64_t column) const override {
    const std::size_t filled = static_cast<std::size_t>(column) * bytes();
    for (std::size_t axis = 0; axis < kChannels.size(); ++axis) {
      std::memset(row + channel_offset(axis) + filled, 0, width_ * bytes() - filled);
    }
  }

  void put_texels(const TexelTask& task, std::int64_t column, char* rows,
                  std::size_t stride) const override {
    alignas(64) std::array<float, std::size_t{kVerticesPerTile} * kFramesPerBlock> texels;
    for (std::size_t axis = 0; axis < kChannels.size(); ++axis) {
      make_texels(task, axis, texels.data());
      char* const to = rows + channel_offset(axis) + static_cast<std::size_t>(column) * bytes();
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

  // Half a unit in the last place below 1; a half is rounded to float first.
  double bound() const override { return half_ ? 0x1p-12 + 0x1p-25 : 0x1p-25; }

  void compress(const Rows& row, OutputFile& file) const override {
    FileStream stream(file);
    std::optional<Imf::OutputFile> image(std::in_place, stream, header(Imf::ZIP_COMPRESSION), 0);
    std::vector<char> line(row_bytes());
    Imf::FrameBuffer buffer;  // stride 0: all lines share the memory
    for (std::size_t c = 0; c < kChannels.size(); ++c) {
      buffer.insert(kChannels[c],
                    Imf::Slice(pixel_type(), line.data() + channel_offset(c), bytes(), 0));
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

  // The offset of a channel in a row. Channels are in alphabetical order.
  std::size_t channel_offset(std::size_t axis) const {
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

[[noreturn]] void refuse_exr(const std::string& path, const std::string& cause) {
  throw Error(ErrorKind::kInput, "CACHE_INVALID", "EXR: " + cause + "; bake it again", {path, ""});
}

void check_window(const Imf::Header& header, const TextureSize& size, const std::string& path) {
  const Imath::Box2i& window = header.dataWindow();
  if (window.min.x != 0 || window.min.y != 0 || window.max.x + std::int64_t{1} != size.width ||
      window.max.y + std::int64_t{1} != size.height) {
    refuse_exr(path, "its size differs from that in its sidecar");
  }
}

void read_exr(const std::string& path, const TextureSize& size, const TakeTexels& take) {
  Imf::InputFile image(path.c_str());
  check_window(image.header(), size, path);
  std::vector<float> texels(static_cast<std::size_t>(size.width) * kChannels.size());
  Imf::FrameBuffer buffer;  // stride 0: all lines share the memory
  for (std::size_t c = 0; c < kChannels.size(); ++c) {
    const char* const name = kChannels[c];
    if (image.header().channels().findChannel(name) == nullptr) {
      refuse_exr(path, std::string("it does not have the channel ") + name);
    }
    buffer.insert(name, Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(texels.data() + c),
                                   kChannels.size() * sizeof(float), 0));
  }
  image.setFrameBuffer(buffer);
  for (std::int64_t y = 0; y < size.height; ++y) {
    image.readPixels(static_cast<int>(y));
    take(y, texels.data());
  }
}

}  // namespace

std::unique_ptr<VatImage> make_vat_exr(const VatLayout& layout, bool is_half) {
  return std::make_unique<ExrImage>(layout, is_half);
}

void read_exr_texels(const std::string& path, const TextureSize& size, const TakeTexels& take) {
  try {
    read_exr(path, size, take);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {  // thrown by OpenEXR
    refuse_exr(path, error.what());
  }
}

}  // namespace skinbake
