// A baked GLB as a source of frames: frame f is the base plus target f - 1.
//
// It reads what `bake` writes and nothing else: a GLB has many ways to move vertices, and one that
// was taken for a baked one would give wrong frames. So the provenance in asset.extras must be
// there, and nodes, targets, weights and animation must be what the writer makes of them. Every
// count is held against the file before anything is allocated for it.

#include "caches/glb_reader.h"

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/aligned_array.h"
#include "caches/cache_file.h"
#include "caches/glb_document.h"
#include "caches/glb_lattice.h"
#include "caches/glb_meshopt.h"
#include "caches/glb_provenance.h"
#include "json/json_text.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

using nlohmann::json;

constexpr std::size_t kPositionBytes = 3 * sizeof(float);
constexpr std::uint64_t kMostJsonBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMostJsonMemory = std::uint64_t{1} << 30;  // parsed, it takes tenfold

// One primitive.
struct Piece {
  std::uint64_t first_vertex = 0, vertex_count = 0;
  std::vector<GlbDocument::Accessor> targets;  // [frame - 1]
  bool is_quantised = false;                   // base and targets are places on a lattice
  GlbLattice lattice;

  void take_off_lattice(float* row) const {
    for (std::size_t i = 0; i < 3 * vertex_count; ++i) row[i] = lattice.position(row[i], i % 3);
  }
};

class GlbReader final : public CacheFile {
 public:
  GlbReader(const std::string& path, const std::string& mesh) : CacheFile(path) {
    try {
      open(mesh);
    } catch (const json::exception&) {
      refuse("the JSON text", "has a value of another type than the writer gives it");
    }
  }

  std::string_view format() const override { return "glb"; }
  FrameRange frames() const override { return frames_; }
  bool has_times() const override { return true; }
  std::int64_t frame_count() const override { return frames_.frame_count; }
  std::int64_t vertex_count() const override { return static_cast<std::int64_t>(base_.size() / 3); }

  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    for (std::int64_t f = first_frame; f < first_frame + count; ++f, rows += base_.size()) {
      std::copy(base_.begin(), base_.end(), rows);
      for (const Piece& piece : pieces_) {
        float* row = rows + 3 * piece.first_vertex;
        if (f > 0) add(piece.targets[static_cast<std::size_t>(f - 1)], piece, row);
        if (piece.is_quantised) piece.take_off_lattice(row);
      }
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& element, const std::string& cause) const {
    fail(element, cause, "only a GLB as `skinbake bake` writes it can be read back");
  }

  std::uint32_t u32_at(std::uint64_t offset) const {
    std::uint32_t value = 0;
    file().read_at(&value, sizeof value, offset);
    return value;
  }

  // Header, JSON chunk and binary chunk, which fill the file.
  void open(const std::string& mesh) {
    constexpr std::uint64_t kHead = 12, kChunkHead = 8;
    if (bytes() < kHead + 2 * kChunkHead || u32_at(0) != 0x46546C67 || u32_at(4) != 2 ||
        u32_at(8) != bytes()) {
      refuse("the GLB header",
             "is not that of a glTF 2.0 file of " + std::to_string(bytes()) + " bytes");
    }
    const std::uint64_t json_bytes = u32_at(kHead);
    if (u32_at(kHead + 4) != 0x4E4F534A || json_bytes > kMostJsonBytes ||
        json_bytes > bytes() - kHead - 2 * kChunkHead) {
      refuse("the JSON chunk", "is not the first, ends past the file, or is too large");
    }
    const std::uint64_t bin = kHead + kChunkHead + json_bytes + kChunkHead;
    if (u32_at(bin - 4) != 0x004E4942 || u32_at(bin - 8) != bytes() - bin) {
      refuse("the binary chunk", "does not follow the JSON and fill the file");
    }
    const GlbDocument document(
        read_json(kHead + kChunkHead, json_bytes), bin, bytes() - bin,
        [this](const std::string& element, const std::string& cause) { refuse(element, cause); });
    frames_ = glb_frames(document);
    read_meshes(document, mesh);
    if (frames_.frame_count > 1) check_animation(document);
  }

  json read_json(std::uint64_t offset, std::uint64_t size) const {
    std::string text(size, '\0');
    file().read_at(text.data(), text.size(), offset);
    json value;
    const JsonProblem problem = parse_text(text, kMostJsonMemory, value);
    if (problem) refuse("the JSON text", problem.text);
    return value;
  }

  std::vector<CachePart> parts() const override { return parts_; }
  std::string chosen_mesh() const override { return chosen_mesh_; }

  void read_meshes(const GlbDocument& document, const std::string& wanted) {
    const std::optional<GlbMeshChoice> chosen = choose_glb_mesh(document, wanted, path());
    if (chosen) chosen_mesh_ = chosen->id;
    const std::vector<std::string> ids = glb_mesh_ids(document);
    const json& nodes = document.array(document.root(), "nodes", "the file");
    const json& meshes = document.array(document.root(), "meshes", "the file");
    if (nodes.size() != meshes.size()) refuse("nodes", "are not one for each mesh");
    if (ids.size() != meshes.size()) refuse("meshes", "are not those of asset.extras");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string where = "node " + std::to_string(i);
      if (document.number(nodes[i], "mesh", nodes.size(), where) != i) {
        refuse(where, "has another mesh");
      }
      for (const auto& item : nodes[i].items()) {
        const bool is_lattice = item.key() == "translation" || item.key() == "scale";
        if (item.key() != "mesh" && item.key() != "name" &&
            !(is_lattice && document.is_quantised())) {
          refuse(where, "has a " + item.key());
        }
      }
      const GlbLattice lattice =
          document.is_quantised() ? document.lattice(nodes[i], where) : GlbLattice{};
      if (chosen && chosen->place != i) continue;
      const std::size_t first = base_.size() / 3;
      read_mesh(document, meshes[i], "mesh " + std::to_string(i), lattice);
      if (meshes.size() > 1 && !chosen) parts_.push_back(part_of(ids[i], first));
    }
  }

  // Of the vertices from there on.
  CachePart part_of(const std::string& id, std::size_t first) const {
    return {id, static_cast<std::int64_t>(first),
            static_cast<std::int64_t>(base_.size() / 3 - first)};
  }

  void read_mesh(const GlbDocument& document, const json& mesh, const std::string& name,
                 const GlbLattice& lattice) {
    const json& primitives = document.array(mesh, "primitives", name);
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      const std::string where = name + " primitive " + std::to_string(p);
      const json& attributes = document.member(primitives[p], "attributes", where);
      const auto base =
          document.positions(document.number(attributes, "POSITION", bytes(), where), where);
      if (base.sparse != 0) refuse(where, "has a sparse base");
      Piece& piece = pieces_.emplace_back();
      piece.first_vertex = base_.size() / 3;
      piece.vertex_count = base.count;
      piece.is_quantised = document.is_quantised();
      piece.lattice = lattice;
      // As many bytes as the file has for each primitive; it may not show them over and over.
      base_bytes_ += base.packed != 0 ? base.packed : base.count * base.stride;
      if (base_bytes_ > bytes()) refuse(where, "has more vertices than the file has bytes for");
      base_.resize(base_.size() + 3 * base.count);
      read_values(base, base_.data() + 3 * piece.first_vertex);
      if (frames_.frame_count > 1) read_targets(document, primitives[p], where, piece);
    }
  }

  void read_targets(const GlbDocument& document, const json& primitive, const std::string& where,
                    Piece& piece) const {
    const json& targets = document.array(primitive, "targets", where);
    if (targets.size() + 1 != static_cast<std::size_t>(frames_.frame_count)) {
      refuse(where, "has " + std::to_string(targets.size()) + " targets for " +
                        std::to_string(frames_.frame_count) + " frames");
    }
    const std::size_t normals = document.member(primitive, "attributes", where).count("NORMAL");
    for (const json& target : targets) {
      // Positions do not depend on normals, whatever those are.
      if (!target.is_object() || target.size() != 1 + normals ||
          target.count("NORMAL") != normals) {
        refuse(where, "has a target of something else");
      }
      piece.targets.push_back(
          document.positions(document.number(target, "POSITION", bytes(), where), where));
      if (piece.targets.back().count != piece.vertex_count) {
        refuse(where, "has a target of another number of vertices");
      }
    }
  }

  // One weight is on at a time: weight f - 1 at key f.
  void check_animation(const GlbDocument& document) const {
    const std::string where = "animation 0";
    const json& animations = document.array(document.root(), "animations", "the file");
    if (animations.size() != 1) refuse("the file", "has not one animation");
    const json& samplers = document.array(animations[0], "samplers", where);
    if (samplers.size() != 1) refuse(where, "has not one sampler");
    const auto frames = static_cast<std::uint64_t>(frames_.frame_count);
    const auto times =
        document.scalars(document.number(samplers[0], "input", bytes(), where), where);
    const auto weights =
        document.scalars(document.number(samplers[0], "output", bytes(), where), where);
    if (times.count != frames || weights.count != frames * (frames - 1) ||
        weights.sparse != frames - 1 || weights.index_bytes != 4) {
      refuse(where, "has not one key and one weight for each frame");
    }
    std::vector<std::uint32_t> places(frames - 1);
    std::vector<float> values(frames - 1);
    file().read_at(places.data(), places.size() * 4, weights.indices);
    file().read_at(values.data(), values.size() * 4, weights.values);
    for (std::uint64_t f = 1; f < frames; ++f) {
      if (places[f - 1] != f * (frames - 1) + f - 1 || values[f - 1] != 1) {
        refuse(where, "has weights other than one target at a time");
      }
    }
  }

  // All vectors that an accessor has or lists; those of shorts as they are.
  void read_values(const GlbDocument::Accessor& accessor, float* values) const {
    const std::uint64_t count = accessor.sparse == 0 ? accessor.count : accessor.sparse;
    if (accessor.stride == kPositionBytes) {
      file().read_at(values, count * kPositionBytes, accessor.values);
      return;
    }
    std::vector<std::int16_t> shorts(count * accessor.stride / sizeof(std::int16_t));
    if (accessor.packed == 0) {
      file().read_at(shorts.data(), count * accessor.stride, accessor.values);
    } else {
      std::vector<std::uint8_t> stream(accessor.packed);
      file().read_at(stream.data(), stream.size(), accessor.values);
      if (!decode_meshopt(stream, shorts)) refuse("a meshopt stream", "is damaged");
    }
    const std::size_t step = accessor.stride / sizeof(std::int16_t);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) values[3 * i + axis] = shorts[step * i + axis];
    }
  }

  // Adds a target to a row of the piece's frame 0.
  void add(const GlbDocument::Accessor& target, const Piece& piece, float* row) const {
    const std::uint64_t listed = target.sparse == 0 ? target.count : target.sparse;
    std::vector<float> values(3 * listed);
    read_values(target, values.data());
    if (target.sparse == 0) {
      for (std::size_t i = 0; i < values.size(); ++i) row[i] += values[i];
      return;
    }
    std::vector<char> indices(listed * target.index_bytes);
    file().read_at(indices.data(), indices.size(), target.indices);
    for (std::size_t i = 0; i < listed; ++i) {
      std::uint32_t v = 0;  // little-endian: the low bytes come first
      std::memcpy(&v, indices.data() + i * target.index_bytes, target.index_bytes);
      if (v >= piece.vertex_count) refuse("a sparse target", "names a vertex that does not exist");
      for (std::size_t axis = 0; axis < 3; ++axis) row[3 * v + axis] += values[3 * i + axis];
    }
  }

  FrameRange frames_;
  std::string chosen_mesh_;  // empty: all of them
  std::vector<CachePart> parts_;
  std::vector<Piece> pieces_;
  std::vector<float> base_;       // [vertex][axis]: frame 0
  std::uint64_t base_bytes_ = 0;  // that it has in the file
};

}  // namespace

// The JSON begins as the writer begins it; whether the rest is as it should be, opening tells.
bool is_baked_glb(const std::string& path) {
  constexpr std::string_view kBeginning =
      "{\n  \"asset\": {\n    \"version\": \"2.0\",\n    \"generator\": \"skinbake ";
  constexpr std::uint64_t kJsonOffset = 20;
  try {
    const RandomAccessFile file(path);
    if (file.size() < kJsonOffset + kBeginning.size()) return false;
    std::string text(kBeginning.size(), '\0');
    file.read_at(text.data(), text.size(), kJsonOffset);
    return text == kBeginning;
  } catch (const Error&) {
    return false;
  }
}

std::unique_ptr<CacheReader> open_glb_cache(const std::string& path, const std::string& mesh) {
  return std::make_unique<GlbReader>(path, mesh);
}

}  // namespace skinbake
