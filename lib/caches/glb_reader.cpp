// A baked GLB as a source of frames: frame f is the base plus target f - 1.
//
// It reads what `bake` writes and nothing else: a GLB has many ways to move vertices, and one that
// was taken for a baked one would give wrong frames. So the provenance in asset.extras must be
// there, and nodes, targets, weights and animation must be what the writer makes of them. Every
// count is held against the file before anything is allocated for it.

#include "caches/glb_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caches/cache_file.h"
#include "caches/glb_animation.h"
#include "caches/glb_attribute.h"
#include "caches/glb_chunks.h"
#include "caches/glb_document.h"
#include "caches/glb_lattice.h"
#include "caches/glb_provenance.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

using nlohmann::json;

// One primitive.
struct Piece {
  std::uint64_t first_vertex = 0, vertex_count = 0;
  GlbAttribute positions;
  std::optional<GlbAttribute> normals, tangents;  // none: it has none
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
  std::int64_t vertex_count() const override { return static_cast<std::int64_t>(vertex_count_); }

  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    read_rows(first_frame, count, rows, [](const Piece& piece) { return &piece.positions; });
  }

  bool has_normals() const override {
    return std::all_of(pieces_.begin(), pieces_.end(),
                       [](const Piece& piece) { return piece.normals.has_value(); });
  }
  void read_normals(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    read_rows(first_frame, count, rows, [](const Piece& piece) { return &*piece.normals; });
  }

  bool has_tangents() const override {
    return std::any_of(pieces_.begin(), pieces_.end(),
                       [](const Piece& piece) { return piece.tangents.has_value(); });
  }
  void read_tangents(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    std::fill_n(rows, static_cast<std::size_t>(count) * 3 * vertex_count_, 0.0F);
    read_rows(first_frame, count, rows,
              [](const Piece& piece) { return piece.tangents ? &*piece.tangents : nullptr; });
  }
  std::vector<float> tangent_signs() const override {
    std::vector<float> signs(vertex_count_);
    for (const Piece& piece : pieces_) {
      if (!piece.tangents) continue;
      std::copy(piece.tangents->signs.begin(), piece.tangents->signs.end(),
                signs.begin() + static_cast<std::ptrdiff_t>(piece.first_vertex));
    }
    return signs;
  }

 private:
  [[noreturn]] void refuse(const std::string& element, const std::string& cause) const {
    fail(element, cause, "only a GLB as `skinbake bake` writes it can be read back");
  }

  // `attribute_of`: which one of a piece; null: none.
  template <class AttributeOf>
  void read_rows(std::int64_t first_frame, std::int64_t count, float* rows,
                 const AttributeOf& attribute_of) const {
    for (std::int64_t f = first_frame; f < first_frame + count; ++f, rows += 3 * vertex_count_) {
      for (const Piece& piece : pieces_) {
        const GlbAttribute* attribute = attribute_of(piece);
        if (attribute != nullptr)
          attribute->read(file(), f, refusal_, rows + 3 * piece.first_vertex);
      }
    }
  }

  void open(const std::string& mesh) {
    const GlbDocument document = read_glb_document(file(), refusal_);
    frames_ = glb_frames(document);
    read_meshes(document, mesh);
    if (frames_.frame_count > 1) check_glb_animation(document, file(), frames_);
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
    const bool are_listed = ids.empty() || ids.size() == meshes.size();
    if (!are_listed) refuse("meshes", "are not those of asset.extras");
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
      const std::size_t first = vertex_count_;
      read_mesh(document, meshes[i], "mesh " + std::to_string(i), lattice);
      if (ids.size() < 2 || chosen) continue;
      parts_.push_back({ids[i], static_cast<std::int64_t>(first),
                        static_cast<std::int64_t>(vertex_count_ - first)});
    }
    if (vertex_count_ == 0) refuse("meshes", "have no vertices");
  }

  void read_mesh(const GlbDocument& document, const json& mesh, const std::string& name,
                 const GlbLattice& lattice) {
    const json& primitives = document.array(mesh, "primitives", name);
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      const std::string where = name + " primitive " + std::to_string(p);
      const json& attributes = document.member(primitives[p], "attributes", where);
      Piece& piece = pieces_.emplace_back();
      piece.first_vertex = vertex_count_;
      if (document.is_quantised()) piece.positions.lattice = lattice;
      const auto base =
          document.positions(document.number(attributes, "POSITION", bytes(), where), where);
      piece.vertex_count = base.count;
      read_base(base, where, piece.positions);
      vertex_count_ += piece.vertex_count;
      if (attributes.contains("NORMAL")) {
        read_directions_base(
            document,
            document.directions(document.number(attributes, "NORMAL", bytes(), where), where),
            where, piece, piece.normals);
      }
      if (attributes.contains("TANGENT")) {
        read_tangents_base(
            document,
            document.tangents(document.number(attributes, "TANGENT", bytes(), where), where), where,
            piece);
      }
      if (frames_.frame_count > 1) read_targets(document, primitives[p], where, piece);
    }
  }

  // As many bytes as the file has for each primitive; it may not show them over and over.
  void read_base(const GlbDocument::Accessor& base, const std::string& where,
                 GlbAttribute& attribute) {
    if (base.sparse != 0) refuse(where, "has a sparse base");
    base_bytes_ += base.packed != 0 ? base.packed : base.count * base.stride;
    if (base_bytes_ > bytes()) refuse(where, "has more vertices than the file has bytes for");
    attribute.base.resize(3 * base.count);
    read_glb_vectors(file(), base, refusal_, attribute.base.data());
  }

  // On the lattice of normalised shorts, if they are quantised.
  void read_directions_base(const GlbDocument& document, const GlbDocument::Accessor& base,
                            const std::string& where, const Piece& piece,
                            std::optional<GlbAttribute>& attribute) {
    if (base.count != piece.vertex_count) refuse(where, "has another number of normals");
    attribute.emplace();
    if (document.is_quantised()) attribute->lattice.emplace();
    if (document.is_quantised() && base.is_float) refuse(where, "has normals as floats");
    read_base(base, where, *attribute);
  }

  void read_tangents_base(const GlbDocument& document, const GlbDocument::Accessor& base,
                          const std::string& where, Piece& piece) {
    read_directions_base(document, base, where, piece, piece.tangents);
    piece.tangents->signs = read_glb_signs(file(), base, refusal_);
    for (const float sign : piece.tangents->signs) {
      if (sign != 1 && sign != -1) refuse(where, "has a tangent whose w is neither 1 nor -1");
    }
  }

  void read_targets(const GlbDocument& document, const json& primitive, const std::string& where,
                    Piece& piece) const {
    const json& targets = document.array(primitive, "targets", where);
    if (targets.size() + 1 != static_cast<std::size_t>(frames_.frame_count)) {
      refuse(where, "has " + std::to_string(targets.size()) + " targets for " +
                        std::to_string(frames_.frame_count) + " frames");
    }
    const std::size_t attributes = 1 + (piece.normals ? 1 : 0) + (piece.tangents ? 1 : 0);
    for (const json& target : targets) {
      if (!target.is_object() || target.size() != attributes) {
        refuse(where, "has a target of something else");
      }
      const auto number = [&](const char* name) {
        return document.number(target, name, bytes(), where);
      };
      const auto keep = [&](const GlbDocument::Accessor& accessor, GlbAttribute& attribute) {
        attribute.targets.push_back(accessor);
        if (accessor.count != piece.vertex_count) {
          refuse(where, "has a target of another number of vertices");
        }
      };
      keep(document.positions(number("POSITION"), where), piece.positions);
      if (piece.normals) keep(document.directions(number("NORMAL"), where), *piece.normals);
      if (piece.tangents) keep(document.directions(number("TANGENT"), where), *piece.tangents);
    }
  }

  const GlbRefusal refusal_ = [this](const std::string& element, const std::string& cause) {
    refuse(element, cause);
  };
  FrameRange frames_;
  std::string chosen_mesh_;  // empty: all of them
  std::vector<CachePart> parts_;
  std::vector<Piece> pieces_;
  std::size_t vertex_count_ = 0;
  std::uint64_t base_bytes_ = 0;  // that it has in the file
};

}  // namespace

// The JSON begins as the writer begins it; whether the rest is as it should be, opening tells.
bool is_baked_glb(const std::string& path) {
  constexpr std::string_view kBeginning =
      "{\n  \"asset\": {\n    \"version\": \"2.0\",\n    \"generator\": \"skinbake ";
  try {
    const RandomAccessFile file(path);
    if (file.size() < kGlbJson + kBeginning.size()) return false;
    std::string text(kBeginning.size(), '\0');
    file.read_at(text.data(), text.size(), kGlbJson);
    return text == kBeginning;
  } catch (const Error&) {
    return false;
  }
}

std::unique_ptr<CacheReader> open_glb_cache(const std::string& path, const std::string& mesh) {
  return std::make_unique<GlbReader>(path, mesh);
}

}  // namespace skinbake
