// OpenEXR reads an EXR back.

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>

#include <exception>
#include <vector>

#include "caches/vat_texels.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::size_t kColours = 3;

[[noreturn]] void refuse(const std::string& path, const std::string& cause) {
  throw Error(ErrorKind::kInput, "CACHE_INVALID", "EXR: " + cause + "; bake it anew", {path, ""});
}

void check(const Imf::Header& header, const TexelCounts& counts, const std::string& path) {
  const Imath::Box2i& window = header.dataWindow();
  if (window.min.x != 0 || window.min.y != 0 || window.max.x + std::int64_t{1} != counts.width ||
      window.max.y + std::int64_t{1} != counts.height) {
    refuse(path, "it has another size than its sidecar says");
  }
}

void read(const std::string& path, const TexelCounts& counts, const TakeTexels& take) {
  Imf::InputFile image(path.c_str());
  check(image.header(), counts, path);
  std::vector<float> texels(static_cast<std::size_t>(counts.width) * kColours);
  Imf::FrameBuffer buffer;  // every line is the same memory
  std::size_t colour = 0;
  for (const char* name : {"R", "G", "B"}) {
    if (image.header().channels().findChannel(name) == nullptr) {
      refuse(path, std::string("it has no channel ") + name);
    }
    buffer.insert(name, Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(texels.data() + colour++),
                                   kColours * sizeof(float), 0));
  }
  image.setFrameBuffer(buffer);
  for (std::int64_t y = 0; y < counts.height; ++y) {
    image.readPixels(static_cast<int>(y));
    take(y, texels.data());
  }
}

}  // namespace

void read_exr_texels(const std::string& path, const TexelCounts& counts, const TakeTexels& take) {
  try {
    read(path, counts, take);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {  // OpenEXR's own
    refuse(path, error.what());
  }
}

}  // namespace skinbake
