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
//   run.png.low.png, run.png.normals.png.low.png
//                  with split=8: the low bytes of 16-bit texels, whose high bytes are the file of
//                  the same name without .low.png; texel = (high * 256 + low) / 65535, both 0 … 255
//
//   position = frame 0 + min + texel * (max - min)      where max = min, texels are 0
//   normal   = 2 * texel - 1
//
// The bounds are known after the last frame, so frames are evaluated twice: first for VatPrepass,
// then for the texture.

#include <optional>
#include <utility>

#include "caches/format_list.h"
#include "caches/frame_slice.h"
#include "caches/mesh_cache.h"
#include "caches/vat/file.h"
#include "caches/vat/options.h"
#include "skinbake/frames.h"

namespace skinbake {

namespace {

struct VatStates : BlockState {
  std::unique_ptr<BlockState> texture, mesh, normals;  // normals may be null
};

struct ClipFrames {
  std::int64_t first = 0, count = 0;
};

// Writes one clip. The static mesh is the first frame of the first clip.
class VatWriter final : public CacheWriter, public NormalReader {
 public:
  VatWriter(std::shared_ptr<VatFile> file, const ClipFrames& clip)
      : file_(std::move(file)), clip_(clip) {}

  FrameSink* prepass() override { return file_->clip_count() == 1 ? &file_->prepass() : nullptr; }
  FrameSink* joint_prepass() override {
    return file_->clip_count() > 1 ? &file_->prepass() : nullptr;
  }

  std::unique_ptr<BlockState> new_state() const override {
    auto states = std::make_unique<VatStates>();
    states->texture = file_->texture().new_state();
    states->mesh = file_->mesh().new_state();
    if (VatNormals* normals = file_->normals()) states->normals = normals->texture().new_state();
    return states;
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    VatStates& states = states_of(state);
    file_->texture().put(tile.positions, tile.vertices, file_->scale(), *states.texture);
    if (has_mesh(tile)) file_->mesh().consume(first_of(tile), *states.mesh);
  }

  std::optional<NormalKind> wanted_normals() const override {
    const VatNormals* normals = file_->normals();
    return normals != nullptr ? std::optional(normals->kind()) : std::nullopt;
  }

  void read_normals(const FrameBlock& tile, const float* normals, BlockState& state) override {
    VatStates& states = states_of(state);
    file_->normals()->put(tile.vertices, normals, *states.normals);
    if (!has_mesh(tile)) return;
    dynamic_cast<NormalReader&>(file_->mesh()).read_normals(first_of(tile), normals, *states.mesh);
  }

  void finish(const FrameBlock& block, BlockState& state) override {
    VatStates& states = states_of(state);
    file_->texture().finish(in_file(block), *states.texture);
    if (VatNormals* normals = file_->normals()) {
      normals->texture().finish(in_file(block), *states.normals);
    }
    if (has_mesh(block)) file_->mesh().finish(first_of(block), *states.mesh);
  }

  void merge(const FrameBlock& block, BlockState& state) override {
    VatStates& states = states_of(state);
    file_->texture().merge(in_file(block), *states.texture);
    if (VatNormals* normals = file_->normals()) {
      normals->texture().merge(in_file(block), *states.normals);
    }
    if (has_mesh(block)) file_->mesh().merge(first_of(block), *states.mesh);
  }

  void end() override { file_->end_clip(); }
  std::vector<OutputFile*> files() override { return file_->files(); }

  const std::string& path() const override { return file_->texture().path(); }
  std::uint64_t bytes() const override { return file_->texture().bytes(); }
  std::string xxh128() const override { return file_->texture().xxh128(); }
  std::uint64_t auxiliary_bytes() const override { return file_->auxiliary_bytes(); }
  std::string readable_path() const override { return file_->texture().readable_path(); }
  std::unique_ptr<StoredFrames> read_back(const std::string& /*mesh*/) const override {
    return std::make_unique<FrameSlice>(file_->read_back(), clip_.first, clip_.count);
  }
  std::vector<WrittenFile> written_files() const override {
    std::vector<WrittenFile> files = CacheWriter::written_files();
    for (WrittenFile& file : file_->auxiliary_files()) files.push_back(std::move(file));
    return files;
  }
  std::optional<double> normal_bound() const override {
    const VatNormals* normals = file_->normals();
    return normals != nullptr ? std::optional(normals->bound()) : std::nullopt;
  }
  double bound_m() const override { return file_->bound_m(); }

 private:
  static VatStates& states_of(BlockState& state) { return static_cast<VatStates&>(state); }

  static FrameBlock first_of(FrameBlock block) {
    block.frame_count = 1;
    return block;
  }

  // Whether a block contains the frame of the static mesh.
  bool has_mesh(const FrameBlock& block) const {
    return clip_.first == 0 && block.first_frame == 0;
  }

  // The block with its position in the file instead of that in the clip.
  FrameBlock in_file(FrameBlock block) const {
    block.first_frame += clip_.first;
    return block;
  }

  std::shared_ptr<VatFile> file_;
  ClipFrames clip_;
};

std::vector<std::unique_ptr<CacheWriter>> open_vat(const std::string& path,
                                                   std::span<const CacheHeader> headers) {
  require_whole_frames("vertex animation texture", path, headers);
  const auto file = std::make_shared<VatFile>(path, headers);
  std::vector<std::unique_ptr<CacheWriter>> writers;
  ClipFrames clip;
  for (const CacheHeader& header : headers) {
    clip = {clip.first + clip.count, header.frames.frame_count};
    writers.push_back(std::make_unique<VatWriter>(file, clip));
  }
  return writers;
}

std::vector<std::string> files_beside(const std::string& path, const VatOptions& options) {
  std::vector<std::string> paths{path + ".glb"};
  if (options.split) paths.push_back(vat_low_path(path));
  if (options.normals) paths.push_back(vat_normals_path(path));
  if (options.normals && options.split) paths.push_back(vat_low_path(paths.back()));
  return paths;
}

}  // namespace

const CacheFormat kVat{
    .id = "vat",
    .extension = ".exr",
    .title = "vertex animation texture, with a static GLB beside it",
    .opened_by = "shaders of Unreal Engine, Unity, Godot, three.js",
    .size =
        "EXR 12 bytes per vertex and frame, 6 with precision=half; PNG 8, 6 with split=8; twice "
        "as many with normals=1",
    .bound =
        "1/131070 (PNG), 2^-25 (EXR) or 2^-12 (precision=half) of the diagonal of the bounds of "
        "all "
        "displacements from frame 0, plus 6.2e-7 of the largest coordinate",
    .open = [](const std::string& path, const CacheHeader& header) -> std::unique_ptr<CacheWriter> {
      return std::move(open_vat(path, {&header, 1}).front());
    },
    .open_together = open_vat,
    .holds_clips = true,
    .keeps_materials = true,
    .keeps_colours = true,
    .options = kVatOptions,
    .keeps_normals =
        [](const CacheOptions& options) { return parse_vat_options("", options).normals; },
    .other_extension = ".png",
    .auxiliary_files =
        [](const std::string& path, const CacheOptions& options) {
          return files_beside(path, parse_vat_options(path, options));
        },
    .possible_auxiliary_files =
        [](const std::string& path) {
          VatOptions most = parse_vat_options(path, {});
          most.normals = true;
          most.split = most.is_png;
          return files_beside(path, most);
        },
    .supports_half_precision =
        [](const std::string& path) { return !parse_vat_options(path, {}).is_png; },
    .find_issues =
        [](const std::string& path, std::span<const CacheHeader> headers) {
          const VatOptions options = parse_vat_options(path, headers.front().options);
          return options.normals ? geometric_normals_issues(headers) : Issues{};
        }};

}  // namespace skinbake
