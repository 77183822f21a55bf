// Vertex animation texture (.exr, .png): what a shader adds to the vertices of a mesh that rests.
//
//   run.exr        red, green, blue: the way of a vertex from frame 0, as a part of the box of all
//                  ways, 0 … 1 along each axis; vat_layout.h has which texel is whose
//   run.exr.glb    frame 0, with the texel of each vertex in frame 0 as TEXCOORD_1
//   run.exr.json   the sidecar, with the box: vat.min, vat.max
//   run.exr.normals.exr, or run.png.normals.png, with normals=1: red, green, blue of the same
//   texels
//                  are the axes of the normal, 0 … 1
//
//   position = frame 0 + min + texel * (max - min)      where max is min, texels are 0
//   normal = 2 * texel - 1
//
// The box is known after the last frame, so frames wait in a temporary file (12 bytes of disk per
// vertex and frame) and are read twice, one at a time.

#include "caches/vat.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/aligned_array.h"
#include "base/random_access_file.h"
#include "caches/box.h"
#include "caches/glb.h"
#include "caches/needs_rig.h"
#include "caches/sidecar.h"
#include "caches/vat_image.h"
#include "caches/vat_mesh.h"
#include "caches/vat_normals.h"
#include "json/json_writer.h"
#include "skinbake/error.h"
#include "skinbake/output_file.h"
#include "skinbake/spool.h"

namespace skinbake {

namespace {

constexpr std::size_t kAxes = 3;

struct States : BlockState {
  std::unique_ptr<BlockState> spool, mesh, normals;  // the last if they are kept
  const float* lanes = nullptr;                      // of the normals
};

VatLayout checked_plan(const std::string& path, const CacheHeader& header,
                       VatOptions::Layout kind) {
  require_rig("VAT", path, header);
  return plan_vat(path, kind, header.vertex_count(), header.frames.frame_count);
}

class VatWriter final : public CacheWriter, public NormalReader {
 public:
  VatWriter(const std::string& path, const CacheHeader& header)
      : options_(parse_vat_options(path, header.options)),
        layout_(checked_plan(path, header, options_.layout)),
        spool_(make_spool(layout_.vertices, layout_.frames)),
        file_(path),
        mesh_(
            open_companion_glb(path + ".glb", vat_mesh_header(header, layout_, options_.normals))),
        sidecar_(path, header),
        row_size_(static_cast<std::size_t>(layout_.vertices) * kAxes) {
    if (!options_.normals || !header.normals) return;
    normals_.emplace(path, layout_, options_, *header.normals);
  }

  std::unique_ptr<BlockState> new_state() const override {
    auto states = std::make_unique<States>();
    states->spool = spool_->new_state();
    states->mesh = mesh_->new_state();
    if (normals_) states->normals = normals_->spool().new_state();
    return states;
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    spool_->consume(tile, *static_cast<States&>(state).spool);
    if (tile.first_frame == 0) mesh_->consume(first_of(tile), *static_cast<States&>(state).mesh);
  }

  std::optional<NormalKind> wanted_normals() const override {
    return normals_ ? std::optional(normals_->kind()) : std::nullopt;
  }

  void read_normals(const float* normals, BlockState& state) override {
    States& states = static_cast<States&>(state);
    states.lanes = normals;
    normals_->spool().take(normals, *states.normals);
  }

  void finish(const FrameBlock& block, BlockState& state) override {
    States& states = static_cast<States&>(state);
    spool_->finish(block, *states.spool);
    if (normals_) normals_->spool().finish(block, *states.normals);
    if (block.first_frame != 0) return;
    if (normals_) dynamic_cast<NormalReader&>(*mesh_).read_normals(states.lanes, *states.mesh);
    mesh_->finish(first_of(block), *states.mesh);
  }

  void merge(const FrameBlock& block, BlockState& state) override {
    spool_->merge(block, *static_cast<States&>(state).spool);
    if (block.first_frame == 0) mesh_->merge(first_of(block), *static_cast<States&>(state).mesh);
  }

  void end() override {
    spool_->end();
    mesh_->end();
    base_ = AlignedArray<float>(row_size_);
    ways_ = AlignedArray<float>(row_size_);
    spool_->read(0, 1, base_.data());
    find_box();
    const std::unique_ptr<VatImage> image = make_vat_image(file_, layout_, options_);
    write_ways(*image);
    image->end();
    set_bound(*image);
    spool_.reset();
    if (normals_) normals_->write();
    const RandomAccessFile written(file_.readable_path());
    bytes_ = written.size();
    xxh128_ = written.xxh128();
    sidecar_.write({"vat", bytes_, xxh128_, [this](JsonWriter& json) { describe(json); }});
  }

  void sync() override {
    mesh_->sync();
    if (normals_) normals_->sync();
    file_.sync();
    sidecar_.sync();
  }

  void commit() override {
    mesh_->commit();
    if (normals_) normals_->commit();
    file_.commit();
    sidecar_.commit();
  }

  const std::string& path() const override { return file_.path(); }
  std::uint64_t bytes() const override { return bytes_; }
  std::string xxh128() const override { return xxh128_; }
  std::string readable_path() const override { return file_.readable_path(); }
  double bound_m() const override { return bound_m_; }
  std::optional<double> normal_bound() const override {
    return normals_ ? std::optional(normals_->bound()) : std::nullopt;
  }

 private:
  static FrameBlock first_of(FrameBlock block) {
    block.frame_count = 1;
    return block;
  }

  // The ways of all vertices from frame 0 to this one.
  void read_ways(std::int64_t frame) {
    spool_->read(frame, 1, ways_.data());
    for (std::size_t i = 0; i < row_size_; ++i) ways_[i] -= base_[i];
  }

  void find_box() {
    for (std::int64_t f = 0; f < layout_.frames; ++f) {
      read_ways(f);
      for (std::size_t i = 0; i < row_size_; i += kAxes) box_.add(&ways_[i]);
    }
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      if (std::isfinite(extent(axis))) continue;
      throw Error(ErrorKind::kUsage, "CACHE_UNSUITABLE",
                  "a vertex moves farther than a float can say; bake another format", {path(), ""});
    }
  }

  double extent(std::size_t axis) const { return double{box_.max[axis]} - double{box_.min[axis]}; }

  void write_ways(VatImage& image) {
    const auto read = [this](std::int64_t frame) {
      read_ways(frame);
      return static_cast<const float*>(ways_.data());
    };
    const auto fill = [this](const float* ways, std::span<double> texels) {
      for (std::size_t i = 0; i < texels.size(); ++i) {
        const std::size_t axis = i % kAxes;
        const double size = extent(axis);
        if (size > 0) texels[i] = (double{ways[i]} - double{box_.min[axis]}) / size;
      }
    };
    write_vat_rows(layout_, {read, fill}, image);
  }

  // Of a position that is put together again in float: the way is rounded once, a texel to its
  // bits, and the sum once more.
  void set_bound(const VatImage& image) {
    double squares = 0;
    float largest = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      squares += extent(axis) * extent(axis);
      largest = std::max({largest, std::abs(box_.min[axis]), std::abs(box_.max[axis])});
    }
    for (std::size_t i = 0; i < row_size_; ++i) largest = std::max(largest, std::abs(base_[i]));
    constexpr double kHalfUnit = 0x1p-24, kRoundings = 6;  // sums may be twice as large
    bound_m_ =
        image.bound() * std::sqrt(squares) + kRoundings * kHalfUnit * std::sqrt(3.0) * largest;
  }

  void describe(JsonWriter& json) const {
    const bool is_openvat = options_.layout == VatOptions::Layout::kOpenVat;
    json.key("vat").begin_object();
    json.key("layout").value(is_openvat ? "openvat" : "unreal");
    json.key("width").value(layout_.width).key("height").value(layout_.height);
    json.key("rows_per_frame").value(layout_.strips);
    json.key("min").numbers(box_.min).key("max").numbers(box_.max);
    if (normals_) normals_->describe(json.key("normals"));
    json.end_object();
    if (!is_openvat) return;
    json.key("os-remap").begin_object();
    json.key("Min").numbers(box_.min).key("Max").numbers(box_.max);
    json.key("Frames").value(layout_.frames);
    json.end_object();
  }

  VatOptions options_;
  VatLayout layout_;
  std::unique_ptr<Spool> spool_;
  OutputFile file_;
  std::unique_ptr<CacheWriter> mesh_;
  Sidecar sidecar_;
  std::optional<VatNormals> normals_;  // if they are kept
  std::size_t row_size_;
  AlignedArray<float> base_, ways_;  // [vertex][axis]
  Box box_;                          // of all ways
  std::uint64_t bytes_ = 0;
  std::string xxh128_;
  double bound_m_ = 0;
};

}  // namespace

const CacheFormat kVat{
    .id = "vat",
    .extension = ".exr",
    .title = "vertex animation texture, with a static GLB beside it",
    .opened_by = "shaders of Unreal Engine, Unity, Godot, three.js",
    .size =
        "EXR 12 bytes per vertex and frame, 6 with precision=half; PNG 8; as many more with "
        "normals=1",
    .bound =
        "of the diagonal of the box of all ways from frame 0: 1/131070 (PNG), 2^-25 (EXR), 2^-12 "
        "(precision=half); and 6.2e-7 of the largest coordinate",
    .open = [](const std::string& path, const CacheHeader& header) -> std::unique_ptr<CacheWriter> {
      return std::make_unique<VatWriter>(path, header);
    },
    .keeps_looks = true,
    .options = kVatOptions,
    .keeps_normals =
        [](const std::map<std::string, std::string>& options) {
          return parse_vat_options("", options).normals;
        },
    .other_extension = ".png",
    .companions =
        [](const std::string& path, const std::map<std::string, std::string>& options) {
          std::vector<std::string> paths{path + ".glb"};
          if (parse_vat_options(path, options).normals) paths.push_back(vat_normals_path(path));
          return paths;
        }};

}  // namespace skinbake
