// Vertex animation texture (.exr, .png): displacements that a shader adds to a static mesh.
//
//   run.exr        red, green, blue: the displacement of a vertex from frame 0, as a fraction of
//                  the bounds of all displacements, 0 … 1 along each axis; layout.h assigns the
//                  texels
//   run.exr.glb    frame 0, with the texel of each vertex in frame 0 as TEXCOORD_1
//   run.exr.json   the sidecar, with the bounds: vat.min, vat.max
//   run.exr.normals.exr, or run.png.normals.png
//                  with normals=1: red, green, blue of the same texels are the axes of the normal,
//                  0 … 1
//
//   position = frame 0 + min + texel * (max - min)      where max = min, texels are 0
//   normal   = 2 * texel - 1
//
// The bounds are known after the last frame, so frames are evaluated twice: first for VatPrepass,
// then for the texture.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "caches/format_list.h"
#include "caches/glb/write/writer.h"
#include "caches/mesh_cache.h"
#include "caches/range_prepass.h"
#include "caches/sidecar.h"
#include "caches/vat/mesh.h"
#include "caches/vat/options.h"
#include "caches/vat/reader.h"
#include "caches/vat/texture.h"
#include "json/json_writer.h"
#include "math/bounds.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::size_t kAxes = 3;

// Finds frame 0 and the bounds of all displacements from frame 0, before the first texel is made.
class VatPrepass final : public RangePrepass {
 public:
  // `path`: for messages.
  VatPrepass(std::string path, std::int64_t vertices);

  const Box& box() const { return box_; }  // bounds of all displacements, each rounded to float
  double extent(std::size_t axis) const { return double{box_.max[axis]} - double{box_.min[axis]}; }
  float largest() const;  // the largest magnitude of a coordinate of frame 0 and of the box

 private:
  // Throws Error (kUsage, CACHE_UNSUITABLE) if a displacement overflows float.
  void complete() override;

  std::string path_;
  Box box_;
};

VatPrepass::VatPrepass(std::string path, std::int64_t vertices)
    : RangePrepass(vertices), path_(std::move(path)) {}

// Subtraction and rounding are monotonic: the minimum gives the smallest displacement.
void VatPrepass::complete() {
  for (std::size_t i = 0; i < base().size(); i += kAxes) {
    std::array<float, kAxes> least, most;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      least[axis] = low()[i + axis] - base()[i + axis];
      most[axis] = high()[i + axis] - base()[i + axis];
    }
    box_.add(least.data());
    box_.add(most.data());
  }
  drop_range();
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    // Replaces -0 by 0: the sign of a zero extreme depends on the order of the blocks.
    box_.min[axis] += 0.0F;
    box_.max[axis] += 0.0F;
    if (std::isfinite(extent(axis))) continue;
    throw Error(ErrorKind::kUsage, "CACHE_UNSUITABLE",
                "a displacement is too large for float32; bake to another format", {path_, ""});
  }
}

float VatPrepass::largest() const {
  float largest = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    largest = std::max({largest, std::abs(box_.min[axis]), std::abs(box_.max[axis])});
  }
  for (std::size_t i = 0; i < base().size(); ++i) {
    largest = std::max(largest, std::abs(base()[i]));
  }
  return largest;
}

struct VatStates : BlockState {
  std::unique_ptr<BlockState> texture, mesh, normals;  // normals may be null
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
        texture_(path, layout_, options_, header.cancelled),
        prepass_(path, layout_.vertices),
        mesh_(
            open_auxiliary_glb(path + ".glb", vat_mesh_header(header, layout_, options_.normals))),
        sidecar_(path, header) {
    if (!options_.normals || !header.normals) return;
    normals_.emplace(path, layout_, options_, *header.normals, header.cancelled);
  }

  FrameSink* prepass() override { return &prepass_; }

  std::unique_ptr<BlockState> new_state() const override {
    auto states = std::make_unique<VatStates>();
    states->texture = texture_.new_state();
    states->mesh = mesh_->new_state();
    if (normals_) states->normals = normals_->texture().new_state();
    return states;
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    VatStates& states = static_cast<VatStates&>(state);
    texture_.put(tile.positions, tile.vertices, scale(), *states.texture);
    if (tile.first_frame == 0) mesh_->consume(first_of(tile), *states.mesh);
  }

  std::optional<NormalKind> wanted_normals() const override {
    return normals_ ? std::optional(normals_->kind()) : std::nullopt;
  }

  void read_normals(const FrameBlock& tile, const float* normals, BlockState& state) override {
    VatStates& states = static_cast<VatStates&>(state);
    normals_->put(tile.vertices, normals, *states.normals);
    if (tile.first_frame != 0) return;
    dynamic_cast<NormalReader&>(*mesh_).read_normals(first_of(tile), normals, *states.mesh);
  }

  void finish(const FrameBlock& block, BlockState& state) override {
    VatStates& states = static_cast<VatStates&>(state);
    texture_.finish(block, *states.texture);
    if (normals_) normals_->texture().finish(block, *states.normals);
    if (block.first_frame == 0) mesh_->finish(first_of(block), *states.mesh);
  }

  void merge(const FrameBlock& block, BlockState& state) override {
    VatStates& states = static_cast<VatStates&>(state);
    texture_.merge(block, *states.texture);
    if (normals_) normals_->texture().merge(block, *states.normals);
    if (block.first_frame == 0) mesh_->merge(first_of(block), *states.mesh);
  }

  void end() override {
    texture_.end();
    if (normals_) normals_->texture().end();
    mesh_->end();
    sidecar_.write({"vat", bytes(), xxh128(), [this](JsonWriter& json) { describe(json); }});
  }

  std::vector<OutputFile*> files() override {
    std::vector<OutputFile*> files = mesh_->files();
    if (normals_) files.push_back(&normals_->texture().file());
    files.insert(files.end(), {&texture_.file(), &sidecar_.file()});
    return files;
  }

  const std::string& path() const override { return texture_.path(); }
  std::uint64_t bytes() const override { return texture_.bytes(); }
  std::string xxh128() const override { return texture_.xxh128(); }
  std::uint64_t auxiliary_bytes() const override {
    return mesh_->bytes() + (normals_ ? normals_->texture().bytes() : 0);
  }
  std::string readable_path() const override { return texture_.readable_path(); }
  std::unique_ptr<StoredFrames> read_back(const std::string& /*mesh*/) const override {
    return read_vat({texture_.readable_path(), mesh_->readable_path(), sidecar_.readable_path(),
                     normals_ ? normals_->texture().readable_path() : "", options_.is_png});
  }
  std::vector<WrittenFile> written_files() const override {
    std::vector<WrittenFile> files = CacheWriter::written_files();
    files.push_back({mesh_->path(), mesh_->readable_path(), mesh_->xxh128()});
    if (!normals_) return files;
    const VatTexture& texture = normals_->texture();
    files.push_back({texture.path(), texture.readable_path(), texture.xxh128()});
    return files;
  }
  std::optional<double> normal_bound() const override {
    return normals_ ? std::optional(normals_->bound()) : std::nullopt;
  }

  // The position that a shader computes and rounds to float has three roundings: of the
  // displacement, of the texel, and of the sum.
  double bound_m() const override {
    double squares = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      squares += prepass_.extent(axis) * prepass_.extent(axis);
    }
    constexpr double kHalfUnit = 0x1p-24,
                     kRoundings = 6;  // 3 roundings of sums up to twice as large
    return texture_.bound() * std::sqrt(squares) +
           kRoundings * kHalfUnit * std::sqrt(3.0) * prepass_.largest();
  }

 private:
  static FrameBlock first_of(FrameBlock block) {
    block.frame_count = 1;
    return block;
  }

  // Displacements become fractions of the box.
  VatScale scale() const {
    VatScale scale{prepass_.base().data()};
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const double size = prepass_.extent(axis);
      scale.low[axis] = prepass_.box().min[axis];
      scale.factor[axis] = size > 0 ? 1 / size : 0;
    }
    return scale;
  }

  void describe(JsonWriter& json) const {
    const bool is_openvat = options_.layout == VatOptions::Layout::kOpenVat;
    json.key("vat").begin_object();
    json.key("layout").value(is_openvat ? "openvat" : "unreal");
    json.key("width").value(layout_.width).key("height").value(layout_.height);
    json.key("rows_per_frame").value(is_openvat ? 1 : layout_.strips);
    json.key("min").numbers(prepass_.box().min).key("max").numbers(prepass_.box().max);
    if (normals_) normals_->describe(json.key("normals"));
    json.end_object();
    if (!is_openvat) return;
    json.key("os-remap").begin_object();
    json.key("Min").numbers(prepass_.box().min).key("Max").numbers(prepass_.box().max);
    json.key("Frames").value(layout_.frames);
    json.end_object();
  }

  VatOptions options_;
  VatLayout layout_;
  VatTexture texture_;
  VatPrepass prepass_;
  std::unique_ptr<CacheWriter> mesh_;
  Sidecar sidecar_;
  std::optional<VatNormals> normals_;  // none: no normals are stored
};

}  // namespace

const CacheFormat kVat{
    .id = "vat",
    .extension = ".exr",
    .title = "vertex animation texture, with a static GLB beside it",
    .opened_by = "shaders of Unreal Engine, Unity, Godot, three.js",
    .size =
        "EXR 12 bytes per vertex and frame, 6 with precision=half; PNG 8; twice as many with "
        "normals=1",
    .bound =
        "1/131070 (PNG), 2^-25 (EXR) or 2^-12 (precision=half) of the diagonal of the bounds of "
        "all "
        "displacements from frame 0, plus 6.2e-7 of the largest coordinate",
    .open = [](const std::string& path, const CacheHeader& header) -> std::unique_ptr<CacheWriter> {
      return std::make_unique<VatWriter>(path, header);
    },
    .keeps_materials = true,
    .options = kVatOptions,
    .keeps_normals =
        [](const CacheOptions& options) { return parse_vat_options("", options).normals; },
    .other_extension = ".png",
    .auxiliary_files =
        [](const std::string& path, const CacheOptions& options) {
          std::vector<std::string> paths{path + ".glb"};
          if (parse_vat_options(path, options).normals) paths.push_back(vat_normals_path(path));
          return paths;
        },
    .supports_half_precision =
        [](const std::string& path) { return !parse_vat_options(path, {}).is_png; }};

}  // namespace skinbake
