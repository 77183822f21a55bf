// Vertex animation texture (.exr, .png): what a shader adds to the vertices of a mesh that rests.
//
//   run.exr        red, green, blue: the way of a vertex from frame 0, as a part of the box of all
//                  ways, 0 … 1 along each axis; vat_layout.h has which texel is whose
//   run.exr.glb    frame 0, with the texel of each vertex in frame 0 as TEXCOORD_1
//   run.exr.json   the sidecar, with the box: vat.min, vat.max
//   run.exr.normals.exr, or run.png.normals.png
//                  with normals=1: red, green, blue of the same texels are the axes of the normal,
//                  0 … 1
//
//   position = frame 0 + min + texel * (max - min)      where max is min, texels are 0
//   normal = 2 * texel - 1
//
// The box is known after the last frame, so frames are evaluated twice: VatSurvey sees them first.

#include "caches/vat.h"

#include <cmath>
#include <optional>

#include "caches/glb.h"
#include "caches/needs_rig.h"
#include "caches/sidecar.h"
#include "caches/vat_mesh.h"
#include "caches/vat_normals.h"
#include "caches/vat_reader.h"
#include "caches/vat_survey.h"
#include "caches/vat_texture.h"
#include "json/json_writer.h"

namespace skinbake {

namespace {

constexpr std::size_t kAxes = 3;

struct States : BlockState {
  std::unique_ptr<BlockState> texture, mesh, normals;  // the last if they are kept
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
        survey_(path, layout_.vertices),
        mesh_(
            open_companion_glb(path + ".glb", vat_mesh_header(header, layout_, options_.normals))),
        sidecar_(path, header) {
    if (!options_.normals || !header.normals) return;
    normals_.emplace(path, layout_, options_, *header.normals, header.cancelled);
  }

  FrameSink* survey() override { return &survey_; }

  std::unique_ptr<BlockState> new_state() const override {
    auto states = std::make_unique<States>();
    states->texture = texture_.new_state();
    states->mesh = mesh_->new_state();
    if (normals_) states->normals = normals_->texture().new_state();
    return states;
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    States& states = static_cast<States&>(state);
    texture_.put(tile.positions, tile.vertices, scale(), *states.texture);
    if (tile.first_frame == 0) mesh_->consume(first_of(tile), *states.mesh);
  }

  std::optional<NormalKind> wanted_normals() const override {
    return normals_ ? std::optional(normals_->kind()) : std::nullopt;
  }

  void read_normals(const FrameBlock& tile, const float* normals, BlockState& state) override {
    States& states = static_cast<States&>(state);
    normals_->put(tile.vertices, normals, *states.normals);
    if (tile.first_frame != 0) return;
    dynamic_cast<NormalReader&>(*mesh_).read_normals(first_of(tile), normals, *states.mesh);
  }

  void finish(const FrameBlock& block, BlockState& state) override {
    States& states = static_cast<States&>(state);
    texture_.finish(block, *states.texture);
    if (normals_) normals_->texture().finish(block, *states.normals);
    if (block.first_frame == 0) mesh_->finish(first_of(block), *states.mesh);
  }

  void merge(const FrameBlock& block, BlockState& state) override {
    States& states = static_cast<States&>(state);
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

  void sync() override {
    mesh_->sync();
    if (normals_) normals_->texture().sync();
    texture_.sync();
    sidecar_.sync();
  }

  void commit() override {
    mesh_->commit();
    if (normals_) normals_->texture().commit();
    texture_.commit();
    sidecar_.commit();
  }

  const std::string& path() const override { return texture_.path(); }
  std::uint64_t bytes() const override { return texture_.bytes(); }
  std::string xxh128() const override { return texture_.xxh128(); }
  std::uint64_t companion_bytes() const override {
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

  // Of a position that is put together again and rounded to float: the way is rounded once, a texel
  // to its bits, and the sum once more.
  double bound_m() const override {
    double squares = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      squares += survey_.extent(axis) * survey_.extent(axis);
    }
    constexpr double kHalfUnit = 0x1p-24, kRoundings = 6;  // sums may be twice as large
    return texture_.bound() * std::sqrt(squares) +
           kRoundings * kHalfUnit * std::sqrt(3.0) * survey_.largest();
  }

 private:
  static FrameBlock first_of(FrameBlock block) {
    block.frame_count = 1;
    return block;
  }

  // Ways become parts of the box.
  VatScale scale() const {
    VatScale scale{survey_.base().data()};
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const double size = survey_.extent(axis);
      scale.low[axis] = survey_.box().min[axis];
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
    json.key("min").numbers(survey_.box().min).key("max").numbers(survey_.box().max);
    if (normals_) normals_->describe(json.key("normals"));
    json.end_object();
    if (!is_openvat) return;
    json.key("os-remap").begin_object();
    json.key("Min").numbers(survey_.box().min).key("Max").numbers(survey_.box().max);
    json.key("Frames").value(layout_.frames);
    json.end_object();
  }

  VatOptions options_;
  VatLayout layout_;
  VatTexture texture_;
  VatSurvey survey_;
  std::unique_ptr<CacheWriter> mesh_;
  Sidecar sidecar_;
  std::optional<VatNormals> normals_;  // if they are kept
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
        },
    .has_half = [](const std::string& path) { return !parse_vat_options(path, {}).is_png; }};

}  // namespace skinbake
