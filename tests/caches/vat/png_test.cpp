#include <doctest/doctest.h>
#include <zlib.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/aligned_array.h"
#include "caches/vat/image.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using test::read_file;
using test::TemporaryFolder;

std::uint32_t u32(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return number;
}

// The content of the IDAT chunks, decompressed by zlib, which checks the Adler-32. Checks the CRC
// of every chunk.
std::string unpacked(const std::string& png, std::size_t size) {
  std::string packed;
  for (std::size_t at = 8; at < png.size();) {
    const std::size_t bytes = u32(png, at);
    const auto* chunk = reinterpret_cast<const Bytef*>(png.data() + at + 4);
    CHECK(crc32(0, chunk, static_cast<uInt>(bytes + 4)) == u32(png, at + 8 + bytes));
    if (png.compare(at + 4, 4, "IDAT") == 0) packed.append(png, at + 8, bytes);
    at += 12 + bytes;
  }
  std::string rows(size + 1, '\0');
  uLongf found = rows.size();
  CHECK(uncompress(reinterpret_cast<Bytef*>(rows.data()), &found,
                   reinterpret_cast<const Bytef*>(packed.data()), packed.size()) == Z_OK);
  rows.resize(found);
  return rows;
}

constexpr std::int64_t kWidth = 8192;
constexpr std::size_t kCount = 200, kColumn = 4000, kHeight = 3;

// Byte i of the texel of a fraction 0 … 1.
unsigned expected_byte(PngPart part, float texel, std::size_t i) {
  const auto step = static_cast<unsigned>(double{texel} * 65535 + 0.5);
  if (part == PngPart::kHighBytes) return step >> 8;
  if (part == PngPart::kLowBytes) return step & 0xFF;
  return i >= 6 ? 0xFF : i % 2 == 0 ? step >> 8 : step & 0xFF;
}

void check_png(PngPart part) {
  const std::size_t texel_bytes = part == PngPart::kWhole ? 8 : 3;
  const std::size_t row_bytes = 1 + texel_bytes * kWidth;
  VatLayout layout;
  layout.width = kWidth;
  layout.height = kHeight;
  const TemporaryFolder folder;
  OutputFile file(folder / "a.png");
  const std::unique_ptr<VatImage> image = make_vat_png(layout, part, false, file);
  AlignedArray<float> lanes(kCount * 3 * kFramesPerBlock);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    lanes[i] = static_cast<float>((i / (3 * kFramesPerBlock)) % 100) / 100;  // by vertex
  }
  const std::vector<float> zeros(kCount * 3);
  std::string rows(image->row_bytes() * kFramesPerBlock, '\0');
  for (int i = 0; i < kFramesPerBlock; ++i)
    image->start_row(rows.data() + i * image->row_bytes(), 0);
  image->put_texels({lanes.data(), kCount, zeros.data(), {0, 0, 0}, {1, 1, 1}}, kColumn,
                    rows.data(), image->row_bytes());
  image->write_rows(rows.data(), 1);
  image->write_rows(rows.data() + image->row_bytes(), kHeight - 1);
  const std::uint64_t size = image->end();
  const std::string png = read_file(file.readable_path());
  CHECK(png.size() == size);
  CHECK(size > kHeight * row_bytes);  // stored
  const std::string found = unpacked(png, kHeight * row_bytes);
  REQUIRE(found.size() == kHeight * row_bytes);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t in_row = i % row_bytes;
    if (in_row == 0) {
      wrong += found[i] != 0;
      continue;
    }
    const std::size_t x = (in_row - 1) / texel_bytes, byte = (in_row - 1) % texel_bytes;
    const bool is_filled = x >= kColumn && x < kColumn + kCount;
    const float texel = is_filled ? lanes[(x - kColumn) * 3 * kFramesPerBlock] : 0;
    wrong += static_cast<unsigned char>(found[i]) != expected_byte(part, texel, byte);
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("vat: a PNG stores the rows that are written, each with the filter 0") {
  for (const PngPart part : {PngPart::kWhole, PngPart::kHighBytes, PngPart::kLowBytes}) {
    check_png(part);
  }
}

}  // namespace skinbake
