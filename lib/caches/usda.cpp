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
//     }
//
// After pxr/usd/usdGeom/schema.usda. Time codes are frame numbers, what stands outside the time
// samples is the first frame, and every number is the shortest text that reads back the same. A
// frame is written once; text is made in merge, by all threads, from the rows of one block, for the
// text of a block would be three times as long as they are.

#include "caches/usda.h"

#include "base/aligned_array.h"
#include "caches/point_text.h"
#include "caches/usda_file.h"
#include "caches/usda_mesh.h"
#include "frames/transpose.h"

namespace skinbake {

namespace {

struct Rows : BlockState {
  explicit Rows(std::size_t size) : positions(size) {}
  AlignedArray<float> positions;  // [frame][vertex][axis]
};

class UsdaWriter final : public CacheWriter {
 public:
  UsdaWriter(std::shared_ptr<UsdaFile> file, std::size_t index)
      : file_(std::move(file)),
        index_(index),
        frames_(file_->header(index).frames),
        vertices_(static_cast<std::size_t>(file_->header(index).vertex_count())) {}

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<Rows>(3 * vertices_ * kFramesPerBlock);
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    transpose_to_rows(
        tile.positions, std::size_t{tile.vertices.count} * 3, tile.frame_count,
        static_cast<Rows&>(state).positions.data() + std::size_t{tile.vertices.first} * 3,
        3 * vertices_);
  }

  void finish(const FrameBlock&, BlockState&) override {}

  void merge(const FrameBlock& block, BlockState& state) override {
    const float* rows = static_cast<Rows&>(state).positions.data();
    if (block.first_frame == 0) begin(rows);
    write_points({rows, static_cast<std::size_t>(block.frame_count) * 3 * vertices_}, vertices_,
                 [&](const PointText& run) {
                   const std::int64_t frame = block.first_frame + run.row;
                   if (run.begins_row) {
                     begin_sample(frame);
                     extents_.emplace_back();
                   }
                   file_->append(run.text);
                   extents_.back().add(run.box);
                   file_->append(run.ends_row ? "],\n" : ", ");
                 });
  }

  void end() override {
    file_->append("        }\n");
    const std::string name = "        float3[] extent";
    file_->append(name + " = [" + extent_text(extents_.front()) + "]\n");
    file_->append(name + ".timeSamples = {\n");
    for (std::size_t f = 0; f < extents_.size(); ++f) {
      begin_sample(static_cast<std::int64_t>(f));
      file_->append(extent_text(extents_[f]) + "],\n");
    }
    file_->append("        }\n    }\n");
    file_->end_mesh();
  }

  void sync() override { file_->sync(); }
  void commit() override { file_->commit(); }
  const std::string& path() const override { return file_->path(); }
  std::uint64_t bytes() const override { return file_->bytes(); }
  std::string xxh128() const override { return file_->xxh128(); }
  std::string readable_path() const override { return file_->readable_path(); }
  double bound_m() const override { return 0; }

 private:
  // All that stands before the first sample; `row` is of the first frame.
  void begin(const float* row) {
    write_usda_mesh_head(file_->header(index_), file_->name(index_),
                         [&](std::string_view text) { file_->append(text); });
    const std::string name = "        point3f[] points";
    file_->append(name + " = [");
    write_points({row, 3 * vertices_}, vertices_, [&](const PointText& run) {
      file_->append(run.text);
      if (!run.ends_row) file_->append(", ");
    });
    file_->append("]\n" + name + ".timeSamples = {\n");
  }

  void begin_sample(std::int64_t frame) {
    file_->append("            " + std::to_string(frames_.frame(frame)) + ": [");
  }

  static std::string extent_text(const Box& box) {
    std::string text = "(";
    append_numbers(text, box.min);
    append_numbers(text += "), (", box.max);
    return text + ")";
  }

  std::shared_ptr<UsdaFile> file_;
  std::size_t index_;
  FrameRange frames_;
  std::size_t vertices_;
  std::vector<Box> extents_;  // of each frame
};

std::vector<std::unique_ptr<CacheWriter>> open_together(const std::string& path,
                                                        std::span<const CacheHeader> headers) {
  const auto file = std::make_shared<UsdaFile>(path, headers);
  std::vector<std::unique_ptr<CacheWriter>> writers;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    writers.push_back(std::make_unique<UsdaWriter>(file, i));
  }
  return writers;
}

}  // namespace

const CacheFormat kUsda{
    "usda",
    ".usda",
    "USD as text, time samples",
    "usdview, Blender, Houdini, Maya, Omniverse",
    "some 38 bytes per vertex and frame: text",
    "0: every number reads back the same",
    [](const std::string& path, const CacheHeader& header) -> std::unique_ptr<CacheWriter> {
      return std::move(open_together(path, {&header, 1}).front());
    },
    nullptr,
    open_together,
    true};

}  // namespace skinbake
