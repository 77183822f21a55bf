#include "caches/usd/reader.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "base/random_access_file.h"
#include "caches/usd/file.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;  // read at a time
constexpr std::size_t kHeadBytes = 128;                    // enough to recognise a line

struct Line {
  std::uint64_t offset = 0, bytes = 0;  // without the line feed
  std::string head;                     // the first bytes
};

// Calls take(line) for each line of a file. A line may be larger than memory.
template <class Take>
void for_each_line(const RandomAccessFile& file, const Take& take) {
  std::vector<char> piece(kPieceBytes);
  Line line;
  for (std::uint64_t at = 0; at < file.size(); at += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kPieceBytes, file.size() - at)));
    file.read_at(piece.data(), piece.size(), at);
    for (std::string_view rest(piece.data(), piece.size()); !rest.empty();) {
      const std::size_t found = rest.find('\n');
      const std::string_view part = rest.substr(0, found);
      line.head += part.substr(0, kHeadBytes - std::min(kHeadBytes, line.head.size()));
      line.bytes += part.size();
      if (found == std::string_view::npos) break;
      take(line);
      line = {line.offset + line.bytes + 1, 0, {}};
      rest.remove_prefix(found + 1);
    }
  }
}

// The lines with the time samples of an attribute.
using Samples = std::vector<Line>;

class UsdaReader final : public StoredFrames {
 public:
  UsdaReader(const std::string& path, std::size_t mesh, const FrameRange& frames)
      : file_(path), frames_(frames) {
    find_samples(mesh);
    check_times(points_, "points");
    if (has_normals()) check_times(normals_, "normals");
    const std::string first = text_of(points_.front());
    vertex_count_ = std::count(first.begin(), first.end(), '(');
  }

  std::int64_t frame_count() const override { return static_cast<std::int64_t>(points_.size()); }
  std::int64_t vertex_count() const override { return vertex_count_; }
  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    read_rows(points_, first_frame, count, rows);
  }

  bool has_normals() const override { return !normals_.empty(); }
  void read_normals(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    read_rows(normals_, first_frame, count, rows);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error("CACHE_INVALID", what, {file_.path(), ""});
  }

  void find_samples(std::size_t mesh) {
    constexpr std::string_view kMesh = "    def Mesh \"", kEnd = "        }";
    constexpr std::string_view kPoints = "        point3f[] points.timeSamples = {";
    constexpr std::string_view kNormals = "        normal3f[] normals.timeSamples = {";
    std::size_t meshes = 0;
    Samples* open = nullptr;  // the attribute that the lines belong to
    for_each_line(file_, [&](const Line& line) {
      if (open != nullptr && line.head != kEnd) {
        open->push_back(line);
        return;
      }
      open = nullptr;
      if (line.head.starts_with(kMesh)) ++meshes;
      if (meshes != mesh + 1) return;
      if (line.head == kPoints) open = &points_;
      if (line.head == kNormals) open = &normals_;
    });
  }

  void check_times(const Samples& samples, const std::string& attribute) const {
    if (static_cast<std::int64_t>(samples.size()) != frames_.frame_count) {
      refuse(attribute + ": the number of samples differs from the number of frames");
    }
    for (std::size_t f = 0; f < samples.size(); ++f) {
      const auto k = static_cast<std::int64_t>(f);
      if (samples[f].head.starts_with(sample_head(k))) continue;
      refuse(attribute + ": no sample for frame " + time_code(frames_, k));
    }
  }

  std::string sample_head(std::int64_t k) const {
    return "            " + time_code(frames_, k) + ": [";
  }

  std::string text_of(const Line& line) const {
    std::string text(static_cast<std::size_t>(line.bytes), '\0');
    file_.read_at(text.data(), text.size(), line.offset);
    return text;
  }

  void read_rows(const Samples& samples, std::int64_t first_frame, std::int64_t count,
                 float* rows) const {
    for (std::int64_t f = first_frame; f < first_frame + count; ++f) {
      const std::string text = text_of(samples[static_cast<std::size_t>(f)]);
      const std::size_t head = sample_head(f).size();
      if (!parse(std::string_view(text).substr(head), rows)) {
        refuse("frame " + time_code(frames_, f) + " is not a list of " +
               std::to_string(vertex_count_) + " points");
      }
      rows += 3 * vertex_count_;
    }
  }

  // "(x, y, z), (x, y, z)],"
  bool parse(std::string_view text, float* row) const {
    const auto skip = [&text](std::string_view expected) {
      if (!text.starts_with(expected)) return false;
      text.remove_prefix(expected.size());
      return true;
    };
    const auto take = [&text](float& number) {
      const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
      text.remove_prefix(static_cast<std::size_t>(end.ptr - text.data()));
      return end.ec == std::errc();
    };
    for (std::int64_t v = 0; v < vertex_count_; ++v, row += 3) {
      const bool is_point = skip(v == 0 ? "(" : ", (") && take(row[0]) && skip(", ") &&
                            take(row[1]) && skip(", ") && take(row[2]) && skip(")");
      if (!is_point) return false;
    }
    return text == "],";
  }

  RandomAccessFile file_;
  FrameRange frames_;
  Samples points_, normals_;
  std::int64_t vertex_count_ = 0;
};

}  // namespace

std::unique_ptr<StoredFrames> read_usda(const std::string& path, std::size_t mesh,
                                        const FrameRange& frames) {
  return std::make_unique<UsdaReader>(path, mesh, frames);
}

}  // namespace skinbake
