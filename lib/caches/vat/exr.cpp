// EXR textures: channels R, G and B as float or half, scan lines from the top, uncompressed unless
// compress=1. A row is what a line of the file stores: W numbers of blue, of green, of red.

#include <IexErrnoExc.h>
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputFile.h>
#include <ImfOutputFile.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <vector>

#include "caches/kernels/kernels.h"
#include "caches/vat/image.h"
#include "frames/transpose.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::array<const char*, 3> kChannels{"R", "G", "B"};

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
    size_ = std::max(size_, position_);
  }
  std::uint64_t tellp() override { return position_; }
  void seekp(std::uint64_t position) override { position_ = position; }

  std::uint64_t size() const { return size_; }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  OutputFile& file_;
  std::uint64_t position_ = 0, size_ = 0;
  std::exception_ptr failure_;
};

class ExrImage final : public VatImage {
 public:
  ExrImage(const VatLayout& layout, bool is_half, bool is_compressed, OutputFile& file)
      : half_(is_half), width_(static_cast<std::size_t>(layout.width)), stream_(file) {
    Imf::Header header(static_cast<int>(layout.width), static_cast<int>(layout.height));
    header.compression() = is_compressed ? Imf::ZIP_COMPRESSION : Imf::NO_COMPRESSION;
    for (const char* name : kChannels) header.channels().insert(name, Imf::Channel(pixel_type()));
    call([&] { image_.emplace(stream_, header, 0); });
  }

  std::size_t row_bytes() const override { return kChannels.size() * width_ * bytes(); }

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

  // OpenEXR addresses line y at base + y * stride.
  void write_rows(const char* rows, std::size_t count) override {
    const std::size_t above = static_cast<std::size_t>(image_->currentScanLine()) * row_bytes();
    Imf::FrameBuffer buffer;
    for (std::size_t c = 0; c < kChannels.size(); ++c) {
      char* const first = const_cast<char*>(rows) + channel_offset(c);
      buffer.insert(kChannels[c], Imf::Slice(pixel_type(), first - above, bytes(), row_bytes()));
    }
    call([&] {
      image_->setFrameBuffer(buffer);
      image_->writePixels(static_cast<int>(count));
    });
  }

  // The destructor of an Imf::OutputFile writes the table of lines.
  std::uint64_t end() override {
    image_.reset();
    stream_.rethrow();
    return stream_.size();
  }

  // Half a unit in the last place below 1; a half is rounded to float first.
  double bound() const override { return half_ ? 0x1p-12 + 0x1p-25 : 0x1p-25; }

 private:
  std::size_t bytes() const { return half_ ? sizeof(std::uint16_t) : sizeof(float); }
  Imf::PixelType pixel_type() const { return half_ ? Imf::HALF : Imf::FLOAT; }

  // The offset of a channel in a row. Channels are in alphabetical order.
  std::size_t channel_offset(std::size_t axis) const {
    return (kChannels.size() - 1 - axis) * width_ * bytes();
  }

  // Calls OpenEXR, which has another exception for want of memory.
  template <class Call>
  void call(const Call& call) {
    try {
      call();
    } catch (const Iex::EnomemExc&) {
      throw std::bad_alloc();
    }
    stream_.rethrow();
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

  bool half_;
  std::size_t width_;
  FileStream stream_;
  std::optional<Imf::OutputFile> image_;  // until end()
};

[[noreturn]] void refuse_exr(const std::string& path, const std::string& cause) {
  throw Error("CACHE_INVALID", "EXR: " + cause, {path, ""});
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

std::unique_ptr<VatImage> make_vat_exr(const VatLayout& layout, bool is_half, bool is_compressed,
                                       OutputFile& file) {
  return std::make_unique<ExrImage>(layout, is_half, is_compressed, file);
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
