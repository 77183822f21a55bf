// USD as text (.usda): a Mesh with a time sample of its points, and of their extent, for each
// frame.
//
//     def Mesh "Body"
//     {
//         uniform token subdivisionScheme = "none"
//         int[] faceVertexCounts = [3, 3]
//         int[] faceVertexIndices = [0, 1, 2, 2, 1, 3]
//         texCoord2f[] primvars:st = [(0, 1), …] ( interpolation = "vertex" )
//         point3f[] points = [(0, 0, 0), …]
//         point3f[] points.timeSamples = {
//             0: [(0, 0, 0), …],
//         }
//         float3[] extent = [(-1, 0, -1), (1, 2, 1)]
//         float3[] extent.timeSamples = { … }
//         normal3f[] normals = [(0, 1, 0), …] ( interpolation = "vertex" )
//         normal3f[] normals.timeSamples = { … }
//     }
//
// Source: pxr/usd/usdGeom/schema.usda. Time codes are frame numbers; the end of a clip may be
// between two. Values outside the time samples belong to the first frame. Every number is the
// shortest text that reads back as the same float. The text of a block is three times as long as
// its rows, so it is not stored: merge produces it with all threads and appends it. Normals, with
// normals=1, follow all points; they wait in a temporary file.

#include <algorithm>
#include <array>
#include <optional>

#include "base/aligned_array.h"
#include "caches/format_list.h"
#include "caches/mesh_cache.h"
#include "caches/usd/file.h"
#include "caches/usd/point_text.h"
#include "caches/usd/reader.h"
#include "frames/transpose.h"

namespace skinbake {

namespace {

constexpr std::array kUsdaOptions{format_switch("normals", "Normals beside the points")};

bool usda_keeps_normals(const CacheOptions& options) {
  return FormatOptions("usda", kUsdaOptions, options).is_on("normals");
}

struct UsdaRows : BlockState {
  explicit UsdaRows(std::size_t size) : positions(size) {}
  AlignedArray<float> positions;        // [frame][vertex][axis]
  std::unique_ptr<BlockState> normals;  // state of TemporaryNormals; null: no normals
};

class UsdaWriter final : public SharedFileWriter<UsdaFile>, public NormalReader {
 public:
  UsdaWriter(std::shared_ptr<UsdaFile> file, std::size_t index, bool with_normals)
      : SharedFileWriter(std::move(file)),
        index_(index),
        frames_(file_->header(index).frames),
        row_size_(static_cast<std::size_t>(file_->header(index).vertex_count()) * 3) {
    const CacheHeader& header = file_->header(index);
    has_normals_ = header.normals && with_normals;
    if (has_normals_) normals_.emplace(header.vertex_count(), frames_.frame_count);
  }

  std::unique_ptr<BlockState> new_state() const override {
    auto state = std::make_unique<UsdaRows>(row_size_ * kFramesPerBlock);
    if (normals_) state->normals = normals_->new_state();
    return state;
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    transpose_to_rows(
        tile.positions, std::size_t{tile.vertices.count} * 3, tile.frame_count,
        static_cast<UsdaRows&>(state).positions.data() + std::size_t{tile.vertices.first} * 3,
        row_size_);
  }

  std::optional<NormalKind> wanted_normals() const override {
    return has_normals_ ? file_->header(index_).normals : std::nullopt;
  }

  void read_normals(const FrameBlock& tile, const float* normals, BlockState& state) override {
    normals_->take(tile, normals, *static_cast<UsdaRows&>(state).normals);
  }

  void finish(const FrameBlock& block, BlockState& state) override {
    if (normals_) normals_->finish(block, *static_cast<UsdaRows&>(state).normals);
  }

  void merge(const FrameBlock& block, BlockState& state) override {
    const float* rows = static_cast<UsdaRows&>(state).positions.data();
    if (block.first_frame == 0) {
      file_->begin_mesh(index_);
      begin_samples("point3f[] points", rows);
    }
    write_samples(block.first_frame, block.frame_count, rows, &extents_);
  }

  void end() override {
    file_->append(kEndSamples);
    const std::string name = "        float3[] extent";
    file_->append(name + " = [" + extent_text(extents_.front()) + "]\n");
    file_->append(name + ".timeSamples = {\n");
    for (std::size_t f = 0; f < extents_.size(); ++f) {
      begin_sample(static_cast<std::int64_t>(f));
      file_->append(extent_text(extents_[f]) + "],\n");
    }
    file_->append(kEndSamples);
    if (normals_) write_normals();
    file_->append("    }\n");
    SharedFileWriter::end();
  }

  std::unique_ptr<StoredFrames> read_back(const std::string& /*mesh*/) const override {
    return read_usda(readable_path(), index_, frames_);
  }
  double bound_m() const override { return 0; }
  std::optional<double> normal_bound() const override {
    return has_normals_ ? std::optional(0.0) : std::nullopt;
  }

 private:
  static constexpr std::string_view kEndSamples = "        }\n";

  // Appends an attribute up to its first time sample: name, value in the first frame, metadata.
  void begin_samples(const std::string& attribute, const float* row,
                     const std::string& metadata = "") {
    const std::string name = "        " + attribute;
    file_->append(name + " = [");
    write_points({row, row_size_}, row_size_ / 3, [&](const PointText& run) {
      file_->append(run.text);
      if (!run.ends_row) file_->append(", ");
    });
    file_->append("]" + metadata + "\n" + name + ".timeSamples = {\n");
  }

  // Appends the time samples of some frames. `boxes`: receives the bounds of each; may be null.
  void write_samples(std::int64_t first_frame, std::int64_t count, const float* rows,
                     std::vector<Box>* boxes) {
    write_points({rows, static_cast<std::size_t>(count) * row_size_}, row_size_ / 3,
                 [&](const PointText& run) {
                   if (run.begins_row) {
                     begin_sample(first_frame + run.row);
                     if (boxes != nullptr) boxes->emplace_back();
                   }
                   file_->append(run.text);
                   if (boxes != nullptr) boxes->back().add(run.box);
                   file_->append(run.ends_row ? "],\n" : ", ");
                 });
  }

  void begin_sample(std::int64_t frame) {
    file_->append("            " + time_code(frames_, frame) + ": [");
  }

  // Appends the normals of all frames, a block at a time.
  void write_normals() {
    AlignedArray<float> rows(row_size_ * kFramesPerBlock);
    for (std::int64_t first = 0; first < frames_.frame_count; first += kFramesPerBlock) {
      const std::int64_t count =
          std::min<std::int64_t>(kFramesPerBlock, frames_.frame_count - first);
      normals_->read(first, count, rows.data());
      if (first == 0) {
        begin_samples("normal3f[] normals", rows.data(),
                      " (\n            interpolation = \"vertex\"\n        )");
      }
      write_samples(first, count, rows.data(), nullptr);
    }
    file_->append(kEndSamples);
    normals_.reset();
  }

  static std::string extent_text(const Box& box) {
    std::string text = "(";
    append_numbers(text, box.min);
    append_numbers(text += "), (", box.max);
    return text + ")";
  }

  std::size_t index_;
  FrameRange frames_;
  std::size_t row_size_;      // numbers per frame
  std::vector<Box> extents_;  // [frame]
  bool has_normals_ = false;
  std::optional<TemporaryNormals> normals_;  // until end() has written them
};

std::vector<std::unique_ptr<CacheWriter>> open_usda(const std::string& path,
                                                    std::span<const CacheHeader> headers) {
  const bool with_normals = usda_keeps_normals(headers.front().options);
  const auto file = std::make_shared<UsdaFile>(path, headers);
  std::vector<std::unique_ptr<CacheWriter>> writers;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    writers.push_back(std::make_unique<UsdaWriter>(file, i, with_normals));
  }
  return writers;
}

}  // namespace

const CacheFormat kUsda{
    .id = "usda",
    .extension = ".usda",
    .title = "USD as text, time samples",
    .opened_by = "usdview, Blender, Houdini, Maya, Omniverse",
    .size = "about 38 bytes per vertex and frame, as text; twice as many with normals=1",
    .bound = "0: every number reads back as the same float",
    .open = [](const std::string& path, const CacheHeader& header) -> std::unique_ptr<CacheWriter> {
      return std::move(open_usda(path, {&header, 1}).front());
    },
    .open_together = open_usda,
    .holds_meshes = true,
    .holds_times = true,
    .holds_numbers = true,
    .keeps_materials = true,
    .options = kUsdaOptions,
    .keeps_normals = usda_keeps_normals,
    .find_issues =
        [](const std::string&, std::span<const CacheHeader> headers) {
          const bool has_normals = usda_keeps_normals(headers.front().options);
          return has_normals ? geometric_normals_issues(headers) : Issues{};
        }};

}  // namespace skinbake
