// glTF 2.0 binary (.glb): every frame but the first of a mesh is a morph target. A weights channel
// plays them, one target at a time. timeline.h assigns the frames to meshes; layout.h and file.h
// list the bytes.
//
// Blocks become displacements in any order, as soon as their base is known. They are appended in
// order, because the size of a block depends on which of its targets are sparse.

#include "caches/glb/writer.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>

#include "base/aligned_array.h"
#include "caches/format_list.h"
#include "caches/glb/file.h"
#include "caches/glb/options.h"
#include "caches/glb/quantized_writer.h"
#include "caches/glb/reader.h"
#include "caches/mesh_cache.h"
#include "frames/transpose.h"

namespace skinbake {

namespace {

static_assert(std::endian::native == std::endian::little, "GLB is written as it is in memory");

// One attribute in the frames of a block.
struct AttributeRows {
  explicit AttributeRows(std::size_t size) : values(size) {}
  AlignedArray<float> values;  // [frame][vertex][axis], later displacements
  GlbDisplacements displacements;
};

struct GlbState : BlockState {
  std::vector<AttributeRows> attributes;
  AlignedArray<std::uint32_t> scratch;
  bool has_displacements = false;
};

// A base, from which the targets of a part are displaced. It is freed when these are merged.
struct FloatBase {
  std::vector<AlignedArray<float>> attributes;  // [vertex][axis]
  std::atomic<bool> is_known = false;
};

// The bases of a mesh, [part]. The writers of its clips share them.
using FloatBases = std::vector<FloatBase>;

class FloatGlbWriter final : public GlbMeshWriter {
 public:
  FloatGlbWriter(std::shared_ptr<GlbFile> file, const GlbSlot& slot,
                 std::shared_ptr<FloatBases> bases)
      : GlbMeshWriter(std::move(file), slot), bases_(std::move(bases)) {}

  std::unique_ptr<BlockState> new_state() const override {
    auto state = std::make_unique<GlbState>();
    const std::size_t rows =
        static_cast<std::size_t>(std::min<std::int64_t>(kFramesPerBlock, frames().frame_count));
    for (std::size_t a = 0; a < mesh_.attributes.size(); ++a) {
      state->attributes.emplace_back(row_size() * rows);
    }
    state->scratch = AlignedArray<std::uint32_t>(row_size() / 3);
    return state;
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    transpose_to_rows(
        tile.positions, std::size_t{tile.vertices.count} * 3, tile.frame_count,
        state_of(state).attributes[0].values.data() + std::size_t{tile.vertices.first} * 3,
        row_size());
  }

  void read_normals(const FrameBlock& tile, const float* normals, BlockState& state) override {
    normals_to_rows(tile, normals, row_size(), state_of(state).attributes[1].values.data());
  }

  void read_tangents(const FrameBlock& tile, const float* tangents, BlockState& state) override {
    tangents_to_rows(tile, tangents, row_size(), state_of(state).attributes[2].values.data());
  }

  void finish(const FrameBlock& block, BlockState& block_state) override {
    GlbState& state = state_of(block_state);
    clear_primitives_without(block, state);
    if (const auto part = file_->timeline().part_of_base(first_frame(block))) {
      FloatBase& base = (*bases_)[*part];
      for (const AttributeRows& rows : state.attributes) {
        std::copy_n(rows.values.data(), row_size(),
                    base.attributes.emplace_back(row_size()).data());
      }
      base.is_known.store(true, std::memory_order_release);
    }
    state.has_displacements = subtract_bases(block, state);
  }

  void merge(const FrameBlock& block, BlockState& block_state) override {
    GlbState& state = state_of(block_state);
    if (!state.has_displacements) subtract_bases(block, state);
    if (const auto part = file_->timeline().part_of_base(first_frame(block))) append_base(*part);
    for (std::size_t a = 0; a < mesh_.attributes.size(); ++a) {
      GlbMorphedAttribute& attribute = mesh_.attributes[a];
      const GlbDisplacements& displacements = state.attributes[a].displacements;
      require_finite(displacements.targets);
      store_targets(block, displacements.targets, attribute);
      GlbBlock& ranges = attribute.blocks[block_index(block)];
      ranges.dense = append(displacements.dense);
      ranges.sparse_values = append(displacements.sparse_values);
      ranges.sparse_indices = append(displacements.sparse_indices);
    }
    drop_bases(block);
  }

  // The displacement is rounded to float, and so is its sum with frame 0. The sum may be twice as
  // large as the larger of its two terms.
  double bound_m() const override {
    float largest = 0;
    const auto widen = [&](const Box& bounds) {
      if (bounds.min[0] > bounds.max[0]) return;  // of a frame that is only a base
      for (std::size_t axis = 0; axis < 3; ++axis) {
        largest = std::max({largest, std::abs(bounds.min[axis]), std::abs(bounds.max[axis])});
      }
    };
    for (const GlbTarget& target : mesh_.attributes[0].targets) widen(target.bounds);
    for (const GlbPrimitive& primitive : mesh_.primitives) {
      for (const Box& bounds : primitive.bounds) widen(bounds);
    }
    constexpr double kUnitRoundoff = 1.0 / (1 << 24), kRoundoffs = 3;
    return kRoundoffs * kUnitRoundoff * std::sqrt(3.0) * largest;
  }

  // The same two roundings: a component's displacement is at most 2, the sum at most 1.
  std::optional<double> normal_bound() const override {
    if (!mesh_.has_normals()) return std::nullopt;
    constexpr double kUnitRoundoff = 0x1p-24, kRoundoffs = 2;
    return kRoundoffs * kUnitRoundoff * std::sqrt(3.0);
  }

 private:
  static GlbState& state_of(BlockState& state) { return static_cast<GlbState&>(state); }

  void clear_primitives_without(const FrameBlock& block, GlbState& state) const {
    for (std::size_t a = 1; a < mesh_.attributes.size(); ++a) {
      for_each_without(a, [&](std::size_t p) {
        const Primitive& vertices = mesh_.primitives[p].vertices;
        float* row = state.attributes[a].values.data() + std::size_t{vertices.first_vertex} * 3;
        for (int f = 0; f < block.frame_count; ++f, row += row_size()) {
          std::fill_n(row, std::size_t{vertices.vertex_count} * 3, 0.0F);
        }
      });
    }
  }

  // Returns false, and changes nothing, if a base of the block is not known yet. When the block is
  // merged, all its bases are known.
  bool subtract_bases(const FrameBlock& block, GlbState& state) const {
    const std::size_t first = begins_with_target(block) ? 0 : 1;
    const auto count = static_cast<std::size_t>(block.frame_count) - first;
    std::vector<const FloatBase*> bases;  // of each target
    for (std::size_t f = 0; f < count; ++f) {
      const auto part = file_->timeline().part_of_target(first_frame(block) + first + f);
      bases.push_back(&(*bases_)[*part]);
      if (!bases.back()->is_known.load(std::memory_order_acquire)) return false;
    }
    std::vector<const float*> rows_of_bases(count);
    for (std::size_t a = 0; a < mesh_.attributes.size(); ++a) {
      std::transform(bases.begin(), bases.end(), rows_of_bases.begin(),
                     [&](const FloatBase* base) { return base->attributes[a].data(); });
      AttributeRows& rows = state.attributes[a];
      compute_displacements(mesh_.primitives, rows_of_bases, row_size(),
                            rows.values.data() + first * row_size(),
                            {state.scratch.data(), state.scratch.size()}, rows.displacements);
    }
    return true;
  }

  // Positions are finite, but the difference of two may be too large.
  void require_finite(std::span<const GlbTarget> targets) const {
    for (const GlbTarget& target : targets) {
      if (target.displaced == 0) continue;
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        if (std::isfinite(target.bounds.min[axis]) && std::isfinite(target.bounds.max[axis]))
          continue;
        throw Error("CACHE_UNSUITABLE", "a displacement is too large for float32", {path(), ""});
      }
    }
  }

  void append_base(std::size_t part) {
    const std::vector<AlignedArray<float>>& base = (*bases_)[part].attributes;
    for (GlbPrimitive& primitive : mesh_.primitives) {
      const Primitive& vertices = primitive.vertices;
      const float* position = base[0].data() + std::size_t{vertices.first_vertex} * 3;
      for (VertexIndex v = 0; v < vertices.vertex_count; ++v, position += 3) {
        primitive.bounds[part].add(position);
      }
    }
    for (std::size_t a = 0; a < base.size(); ++a) {
      GlbMorphedAttribute& attribute = mesh_.attributes[a];
      BinRange& range = attribute.bases[part].range;
      if (attribute.name == kTangentAttribute) {
        const std::vector<float> tangents = with_signs(base[a]);
        range = append({{tangents.data(), tangents.size() * sizeof(float)}});
      } else {
        range = append({{base[a].data(), row_size() * sizeof(float)}});
      }
    }
  }

  // Frees the bases of the parts that end in a block. Blocks are merged in order, so no later one
  // has a target of these parts.
  void drop_bases(const FrameBlock& block) {
    const std::size_t first = first_frame(block);
    const std::size_t end = first + static_cast<std::size_t>(block.frame_count);
    const std::vector<GlbFrameSpan>& parts = file_->timeline().parts;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (first < parts[p].end && parts[p].end <= end) (*bases_)[p].attributes.clear();
    }
  }

  // [vertex][x, y, z, w]
  std::vector<float> with_signs(const AlignedArray<float>& base) const {
    std::vector<float> tangents;
    const float* next = base.data();
    for (const float sign : tangent_signs(*mesh_.header.rig->mesh)) {
      tangents.insert(tangents.end(), {next[0], next[1], next[2], sign});
      next += 3;
    }
    return tangents;
  }

  std::shared_ptr<FloatBases> bases_;
};

std::vector<std::unique_ptr<CacheWriter>> open_glb(const std::string& path,
                                                   std::span<const CacheHeader> headers) {
  const auto file = std::make_shared<GlbFile>(path, headers);
  const std::size_t clips = file->clip_count();
  std::vector<std::unique_ptr<CacheWriter>> writers;
  for (std::size_t m = 0; m < headers.size() / clips; ++m) {
    if (file->options().is_quantized()) {
      for (auto& writer : make_quantized_writers(file, m)) writers.push_back(std::move(writer));
      continue;
    }
    const auto bases = std::make_shared<FloatBases>(file->timeline().parts.size());
    for (std::size_t c = 0; c < clips; ++c) {
      writers.push_back(std::make_unique<FloatGlbWriter>(file, GlbSlot{m, c}, bases));
    }
  }
  return writers;
}

}  // namespace

std::unique_ptr<CacheWriter> open_auxiliary_glb(const std::string& path, const CacheHeader& header,
                                                const EditGlb& edit) {
  auto file = std::make_shared<GlbFile>(path, std::span(&header, 1), edit);
  return std::make_unique<FloatGlbWriter>(std::move(file), GlbSlot{},
                                          std::make_shared<FloatBases>(1));
}

const CacheFormat kGlb{
    .id = "glb",
    .extension = ".glb",
    .title = "glTF 2.0 binary, morph targets",
    .opened_by =
        "three.js and Babylon.js (2 048 frames; Babylon.js without float textures 8 targets), "
        "Blender (3.4 not with meshopt=1; clamps weights below 0, has its own normals), Godot 4, "
        "Unity (glTFast), Unreal (Interchange); of the skin of a fitted file, three.js and glTFast "
        "use 4 influences, Babylon.js and Godot 8, Blender all",
    .size =
        "12 bytes per vertex and frame, fewer where vertices do not move; 8 with quantize=1, 2 to "
        "5 with meshopt=1 too; normals=1 adds up to 12, or 8 with quantize=1 if the normals of a "
        "primitive turn little; tangents=1 adds as many again",
    .bound =
        "3.1e-7 of the largest coordinate, because displacements from frame 0 are rounded; with "
        "quantize=1, 1.75 / 2^bits of half of frame 0's longest extent, or of the longest "
        "displacement along an axis; of a normal or tangent, 2.1e-7, with quantize=1 2.7e-5",
    .open = [](const std::string& path, const CacheHeader& header) -> std::unique_ptr<CacheWriter> {
      return std::move(open_glb(path, {&header, 1}).front());
    },
    .read = open_glb_cache,
    .open_together = open_glb,
    .holds_meshes = true,
    .holds_clips = true,
    .holds_times = true,
    .holds_numbers = true,
    .keeps_materials = true,
    .keeps_colours = true,
    .options = kGlbOptions,
    .keeps_normals = [](const CacheOptions& options) { return parse_glb_options(options).normals; },
    .keeps_tangents =
        [](const CacheOptions& options) { return parse_glb_options(options).tangents; },
    .find_issues = viewer_issues};

}  // namespace skinbake
