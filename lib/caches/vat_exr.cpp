// OpenEXR, channels R, G and B as float or half, scan lines from the top; uncompressed, unless
// asked otherwise.

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfOutputFile.h>
#include <half.h>

#include <array>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "caches/vat_image.h"

namespace skinbake {

namespace {

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

constexpr std::array<const char*, 3> kChannels{"R", "G", "B"};

template <class Number, Imf::PixelType kType>
class ExrImage final : public VatImage {
 public:
  ExrImage(OutputFile& file, const VatLayout& layout, bool compressed)
      : stream_(file), row_(static_cast<std::size_t>(layout.width) * kChannels.size()) {
    Imf::Header header(static_cast<int>(layout.width), static_cast<int>(layout.height));
    header.compression() = compressed ? Imf::ZIP_COMPRESSION : Imf::NO_COMPRESSION;
    for (const char* name : kChannels) header.channels().insert(name, Imf::Channel(kType));
    image_.emplace(stream_, header, 0);
    Imf::FrameBuffer buffer;  // every line is the same memory
    for (std::size_t c = 0; c < kChannels.size(); ++c) {
      buffer.insert(kChannels[c], Imf::Slice(kType, reinterpret_cast<char*>(&row_[c]),
                                             kChannels.size() * sizeof(Number), 0));
    }
    image_->setFrameBuffer(buffer);
    stream_.rethrow();
  }

  void write_row(std::span<const double> texels) override {
    for (std::size_t i = 0; i < texels.size(); ++i) {
      row_[i] = static_cast<Number>(static_cast<float>(texels[i]));
    }
    image_->writePixels(1);
    stream_.rethrow();
  }

  void end() override {
    image_.reset();
    stream_.rethrow();
  }

  // Half of the last bit below 1; a half is rounded to float before.
  double bound() const override { return kType == Imf::HALF ? 0x1p-12 + 0x1p-25 : 0x1p-25; }

 private:
  FileStream stream_;
  std::vector<Number> row_;
  std::optional<Imf::OutputFile> image_;
};

}  // namespace

std::unique_ptr<VatImage> make_vat_exr(OutputFile& file, const VatLayout& layout,
                                       const VatOptions& options) {
  if (options.half)
    return std::make_unique<ExrImage<half, Imf::HALF>>(file, layout, options.compressed);
  return std::make_unique<ExrImage<float, Imf::FLOAT>>(file, layout, options.compressed);
}

}  // namespace skinbake
