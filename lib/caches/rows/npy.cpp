// NumPy array (.npy), read by numpy.load and other array libraries.
//
//   offset  type        field
//        0  char[6]     "\x93NUMPY"
//        6  uint8[2]    version 1, 0 (2, 0 is read too)
//        8  uint16      length H of the header (version 2: uint32)
//       10  char[H]     {'descr': '<f4', 'fortran_order': False, 'shape': (F, V, 3), }, spaces, LF
//   10 + H  float32[3]  positions, frame by frame, vertex by vertex; 10 + H is a multiple of 64
//
// Little-endian. With precision=half '<f2' and float16; '<f8' is read too. Positions are in metres
// with y up, unless other axes are requested. Source: the documentation of numpy.lib.format.

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "base/containers.h"
#include "caches/cache_file.h"
#include "caches/format_list.h"
#include "caches/rows/row_writer.h"
#include "math/half.h"

namespace skinbake {

namespace {

constexpr std::array kNpyOptions{MethodParameter{
    .name = "precision", .help = "Numbers as float32 or float16", .choices = "single|half"}};

std::unique_ptr<CacheWriter> open_npy(const std::string& path, const CacheHeader& header) {
  require_whole_frames("NPY", path, {&header, 1});
  const bool half = FormatOptions("npy", kNpyOptions, header.options).word("precision") == "half";
  const std::string head =
      npy_head({checked_count(header.frames.frame_count, "frames", "NPY", path),
                checked_count(header.vertex_count(), "vertices", "NPY", path), 3},
               half ? "<f2" : "<f4");
  return write_rows(path, header,
                    {.format = "npy",
                     .head_bytes = head.size(),
                     .put_head = [&head](const PutBytes& put) { put(head.data(), head.size()); },
                     .half = half});
}

constexpr std::size_t kMaxDimensions = 32;  // the limit of NumPy

struct NpyHeader {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

// A fault of the header; what() is the cause.
class NpyHeaderError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Parses {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 3), }: the three keys, once each,
// in any order, and no other content. Throws NpyHeaderError.
class NpyHeaderParser {
 public:
  explicit NpyHeaderParser(std::string_view text) : rest_(text) {}

  NpyHeader dictionary() {
    NpyHeader header;
    expect('{');
    while (!accept('}')) {
      entry(header);
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (!rest_.empty()) fail("the dictionary is followed by other content");
    if (!has_descr_ || !has_order_ || !has_shape_) {
      fail("one of 'descr', 'fortran_order' and 'shape' is missing");
    }
    return header;
  }

 private:
  void entry(NpyHeader& header) {
    const std::string key = text();
    expect(':');
    if (key == "descr" && !has_descr_) {
      header.descr = type_description();
      has_descr_ = true;
    } else if (key == "fortran_order" && !has_order_) {
      header.fortran_order = boolean();
      has_order_ = true;
    } else if (key == "shape" && !has_shape_) {
      header.shape = tuple();
      has_shape_ = true;
    } else {
      fail("the key '" + key + "' is unknown or repeated");
    }
  }

  // Returns the string that describes the numbers. A list in its place describes an array of
  // records, which is refused.
  std::string type_description() {
    skip_space();
    if (rest_.starts_with('[')) fail("the array holds records, not numbers");
    return text();
  }

  std::string text() {
    skip_space();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    if (quote != '\'' && quote != '"') fail("a quoted string is missing");
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) fail("a string does not have a closing quote");
    const std::string_view inside = rest_.substr(1, end - 1);
    for (const char c : inside) {
      if (c == '\\' || c < 0x20 || c > 0x7e)
        fail("a string has a character that is not printable ASCII, or a backslash");
    }
    rest_.remove_prefix(end + 1);
    return std::string(inside);
  }

  bool boolean() {
    skip_space();
    for (const std::string_view word : {std::string_view("True"), std::string_view("False")}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return word == "True";
    }
    fail("'fortran_order' is neither True nor False");
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> numbers;
    expect('(');
    while (!accept(')')) {
      numbers.push_back(number());
      if (numbers.size() > kMaxDimensions) fail("'shape' has too many dimensions");
      if (accept(',')) continue;
      expect(')');
      break;
    }
    return numbers;
  }

  std::int64_t number() {
    skip_space();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value < 0) fail("'shape' has an element that is not a count");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  bool accept(char c) {
    skip_space();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(std::string("'") + c + "' is missing");
  }

  void skip_space() {
    const std::size_t n = rest_.find_first_not_of(" \n");
    rest_.remove_prefix(n == std::string_view::npos ? rest_.size() : n);
  }

  [[noreturn]] static void fail(const std::string& cause) { throw NpyHeaderError(cause); }

  std::string_view rest_;
  bool has_descr_ = false, has_order_ = false, has_shape_ = false;
};

class NpyReader final : public CacheFile {
 public:
  explicit NpyReader(const std::string& path) : CacheFile(path) {
    const std::string dictionary = read_dictionary();
    try {
      header_ = NpyHeaderParser(dictionary).dictionary();
    } catch (const NpyHeaderError& error) {
      fail("header", error.what());
    }
    check_array();
  }

  const CacheFormat& format() const override { return kNpy; }
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
      read_converted<double>(first, numbers, rows, [](double x) { return static_cast<float>(x); });
    } else {
      read_converted<std::uint16_t>(first, numbers, rows, from_half);
    }
  }

 private:
  // Reads numbers that are not stored as float, part by part, and converts them.
  template <class T, class ToFloat>
  void read_converted(std::uint64_t first, std::uint64_t count, float* to,
                      const ToFloat& to_float) const {
    std::array<T, 4096> part{};
    for (std::uint64_t done = 0; done < count; done += part.size()) {
      const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(part.size(), count - done));
      file().read_at(part.data(), n * sizeof(T), first_row_ + (first + done) * sizeof(T));
      for (std::size_t i = 0; i < n; ++i) to[done + i] = to_float(part[i]);
    }
  }

  // Returns the text of the header and sets first_row_.
  std::string read_dictionary() {
    constexpr std::uint32_t kMaxLength = 1 << 16;  // ample for three short entries
    std::array<unsigned char, 12> start{};
    if (bytes() < start.size()) {
      fail("header", std::to_string(bytes()) + " bytes, less than the 64 of an NPY header");
    }
    file().read_at(start.data(), start.size(), 0);
    if (std::memcmp(start.data(), kNpyMagic.data(), kNpyMagic.size()) != 0) {
      fail("header, bytes 0 to 5", "not \\x93NUMPY");
    }
    const int major = start[6], minor = start[7];
    if ((major != 1 && major != 2) || minor != 0) {
      fail("header, version",
           std::to_string(major) + "." + std::to_string(minor) + " is not supported");
    }
    std::uint32_t length = start[8] + 256u * start[9];
    first_row_ = 10;
    if (major == 2) {
      length += (start[10] << 16) + (static_cast<std::uint32_t>(start[11]) << 24);
      first_row_ = 12;
    }
    if (length > kMaxLength || length > bytes() - first_row_) {
      fail("header", "its length, " + std::to_string(length) + " bytes, is too large");
    }
    std::string dictionary(length, '\0');
    file().read_at(dictionary.data(), length, first_row_);
    first_row_ += length;
    return dictionary;
  }

  void check_array() {
    if (header_.descr != "<f2" && header_.descr != "<f4" && header_.descr != "<f8") {
      fail("header, 'descr'",
           "'" + header_.descr + "' is not supported, only '<f2', '<f4' and '<f8'");
    }
    number_bytes_ = static_cast<std::size_t>(header_.descr.back() - '0');
    if (header_.fortran_order) {
      fail("header, 'fortran_order'", "True is not supported, only C order");
    }
    const auto& shape = header_.shape;
    constexpr std::int64_t kMaxCount = 2147483647;
    if (shape.size() != 3 || shape[2] != 3 || shape[0] < 1 || shape[0] > kMaxCount ||
        shape[1] < 1 || shape[1] > kMaxCount) {
      fail("header, 'shape'", "not (frames, vertices, 3) with at least one of each");
    }
    const std::uint64_t position_bytes = 3 * number_bytes_;
    if (!is_size_of(bytes(), static_cast<std::uint64_t>(shape[1]),
                    static_cast<std::uint64_t>(shape[0]), first_row_, position_bytes)) {
      fail("size", std::to_string(bytes()) + " bytes, but " + std::to_string(shape[1]) +
                       " vertices in " + std::to_string(shape[0]) + " frames take " +
                       std::to_string(first_row_) + " + " + std::to_string(position_bytes) +
                       " for each vertex and frame");
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
    .opened_by = "NumPy and libraries that read its arrays; shape (frames, vertices, 3)",
    .size = "12 bytes per vertex and frame; 6 with precision=half",
    .bound =
        "none: float32 positions as they were computed; with precision=half 8.5e-4 "
        "of the largest coordinate, at least 5.2e-8; the largest coordinate is 65504",
    .open = open_npy,
    .read = open_reader<NpyReader>,
    .options = kNpyOptions,
    .supports_half_precision = [](const std::string&) { return true; }};

}  // namespace skinbake
