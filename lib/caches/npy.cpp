// NumPy array (.npy): numpy.load, and everything that knows that format.
//
//   offset  type        field
//        0  char[6]     "\x93NUMPY"
//        6  uint8[2]    version 1, 0 (read also: 2, 0)
//        8  uint16      length H of the header (version 2: uint32)
//       10  char[H]     {'descr': '<f4', 'fortran_order': False, 'shape': (F, V, 3), }, spaces,
//       '\n'
//   10 + H  float32[3]  positions, frame by frame, vertex by vertex; a multiple of 64
//
// Little-endian. With precision=half '<f2' and float16. After numpy.lib.format's documentation.
// Read also with '<f8'.

#include "caches/npy.h"

#include <array>
#include <cstring>
#include <vector>

#include "base/npy_head.h"
#include "caches/cache_file.h"
#include "caches/npy_header.h"
#include "caches/row_writer.h"
#include "math/half.h"

namespace skinbake {

namespace {

constexpr std::string_view kOptions = "precision=single|half";

bool is_half(const CacheHeader& header) {
  bool half = false;
  for (const auto& [name, value] : header.options) {
    if (name != "precision" || (value != "half" && value != "single")) {
      throw Error(
          ErrorKind::kUsage, "FORMAT_OPTION_UNKNOWN",
          "--format npy: no '" + name + "=" + value + "'; there is " + std::string(kOptions));
    }
    half = value == "half";
  }
  return half;
}

std::unique_ptr<CacheWriter> open_npy(const std::string& path, const CacheHeader& header) {
  const bool half = is_half(header);
  const std::string head =
      npy_head({checked_count(header.frames.frame_count, "frames", "NPY", path),
                checked_count(header.vertex_count(), "vertices", "NPY", path), 3},
               half ? "<f2" : "<f4");
  return write_rows(path, header,
                    {"npy", std::endian::little, head.size(),
                     [&head](const PutBytes& put) { put(head.data(), head.size()); }, half});
}

class NpyReader final : public CacheFile {
 public:
  explicit NpyReader(const std::string& path) : CacheFile(path) {
    const std::string dictionary = read_dictionary();
    try {
      header_ = parse_npy_header(dictionary);
    } catch (const NpyHeaderError& error) {
      fail("header", error.what(), "save it with numpy.save");
    }
    check_array();
  }

  std::string_view format() const override { return "npy"; }
  std::int64_t frame_count() const override { return header_.shape[0]; }
  std::int64_t vertex_count() const override { return header_.shape[1]; }
  FrameRange frames() const override { return {30, 0, 1, frame_count()}; }

  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    const auto row_size = static_cast<std::uint64_t>(vertex_count()) * 3;
    const std::uint64_t first = static_cast<std::uint64_t>(first_frame) * row_size;
    const std::uint64_t numbers = static_cast<std::uint64_t>(count) * row_size;
    if (number_bytes_ == sizeof(float)) {
      file().read_at(rows, static_cast<std::size_t>(numbers) * sizeof(float),
                     first_row_ + first * sizeof(float));
    } else if (number_bytes_ == sizeof(double)) {
      read_others<double>(first, numbers, rows, [](double x) { return static_cast<float>(x); });
    } else {
      read_others<std::uint16_t>(first, numbers, rows, from_half);
    }
  }

 private:
  // Numbers that are no floats, in parts.
  template <class T, class ToFloat>
  void read_others(std::uint64_t first, std::uint64_t count, float* to,
                   const ToFloat& to_float) const {
    std::array<T, 4096> part{};
    for (std::uint64_t done = 0; done < count; done += part.size()) {
      const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(part.size(), count - done));
      file().read_at(part.data(), n * sizeof(T), first_row_ + (first + done) * sizeof(T));
      for (std::size_t i = 0; i < n; ++i) to[done + i] = to_float(part[i]);
    }
  }

  // The text of the header; sets first_row_.
  std::string read_dictionary() {
    constexpr std::uint32_t kLongest = 1 << 16;  // of three short entries
    std::array<unsigned char, 12> start{};
    if (bytes() < start.size()) {
      fail("header", std::to_string(bytes()) + " bytes, where NPY has 64 and more",
           "copy or export the cache again");
    }
    file().read_at(start.data(), start.size(), 0);
    if (std::memcmp(start.data(), kNpyMagic.data(), kNpyMagic.size()) != 0) {
      fail("header, bytes 0 to 5", "not \\x93NUMPY",
           "is this a cache of another format? Its extension picks the reader");
    }
    const int major = start[6], minor = start[7];
    if ((major != 1 && major != 2) || minor != 0) {
      fail("header, version", std::to_string(major) + "." + std::to_string(minor) + " is not known",
           "save it as version 1.0 or 2.0 (numpy.lib.format.write_array)");
    }
    std::uint32_t length = start[8] + 256u * start[9];
    first_row_ = 10;
    if (major == 2) {
      length += (start[10] << 16) + (static_cast<std::uint32_t>(start[11]) << 24);
      first_row_ = 12;
    }
    if (length > kLongest || length > bytes() - first_row_) {
      fail("header", "its length, " + std::to_string(length) + " bytes, is too large",
           "copy or export the cache again");
    }
    std::string dictionary(length, '\0');
    file().read_at(dictionary.data(), length, first_row_);
    first_row_ += length;
    return dictionary;
  }

  void check_array() {
    if (header_.descr != "<f2" && header_.descr != "<f4" && header_.descr != "<f8") {
      fail("header, 'descr'", "'" + header_.descr + "' is not read, only '<f2', '<f4' and '<f8'",
           "save it as numpy.float32");
    }
    number_bytes_ = static_cast<std::size_t>(header_.descr.back() - '0');
    if (header_.fortran_order) {
      fail("header, 'fortran_order'", "True is not read, only C order",
           "save numpy.ascontiguousarray of it");
    }
    const auto& shape = header_.shape;
    constexpr std::int64_t kMost = 2147483647;
    if (shape.size() != 3 || shape[2] != 3 || shape[0] < 1 || shape[0] > kMost || shape[1] < 1 ||
        shape[1] > kMost) {
      fail("header, 'shape'", "not (frames, vertices, 3) with one of each at least",
           "reshape the array");
    }
    const std::uint64_t position_bytes = 3 * number_bytes_;
    if (!is_size_of(bytes(), static_cast<std::uint64_t>(shape[1]),
                    static_cast<std::uint64_t>(shape[0]), first_row_, position_bytes)) {
      fail("size",
           std::to_string(bytes()) + " bytes, but " + std::to_string(shape[1]) + " vertices in " +
               std::to_string(shape[0]) + " frames take " + std::to_string(first_row_) + " + " +
               std::to_string(position_bytes) + " for each vertex and frame",
           "it was cut off or is another file: copy or export it again");
    }
  }

  NpyHeader header_;
  std::size_t number_bytes_ = sizeof(float);
  std::uint64_t first_row_ = 0;
};

}  // namespace

const CacheFormat kNpy{
    .id = "npy",
    .extension = ".npy",
    .title = "NumPy array",
    .opened_by = "NumPy and what reads its arrays; shape (frames, vertices, 3)",
    .size = "12 bytes per vertex and frame; 6 with precision=half",
    .bound =
        "none: float32 positions as they were computed; with precision=half 8.5e-4 "
        "of the largest coordinate, 5.2e-8 at the least; coordinates end at 65504",
    .open = open_npy,
    .read = [](const std::string& path, const std::string&) -> std::unique_ptr<CacheReader> {
      return std::make_unique<NpyReader>(path);
    },
    .options = kOptions,
    .has_half = [](const std::string&) { return true; }};

}  // namespace skinbake
