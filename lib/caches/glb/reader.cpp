// A baked GLB as a source of frames: frame f is the base plus target f - 1.
//
// The reader accepts only what the writer writes. A GLB can move vertices in many ways, and any
// other file would give wrong frames. So asset.extras.skinbake must exist, and nodes, targets,
// weights and animation must be as the writer makes them. Every count is checked against the size
// of the file before memory is allocated for it.

#include "caches/glb/reader.h"
#include "caches/format_list.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "caches/cache_file.h"
#include "caches/glb/baked_json.h"
#include "caches/glb/parsed.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

using Json = nlohmann::json;

// One attribute of a primitive in all frames of a part.
struct StoredAttribute {
  std::optional<GlbGrid> grid;                 // of quantized base and targets
  std::vector<float> base;                     // [vertex][axis] the first frame
  std::vector<GlbDocument::Accessor> targets;  // [frame - 1], each of as many elements as vertices
  std::vector<float> signs;                    // [vertex] w, of tangents

  // The vectors of a frame of the part, [vertex][axis].
  void read(const RandomAccessFile& file, std::size_t frame, const GlbErrorThrower& throw_error,
            float* row) const {
    std::copy(base.begin(), base.end(), row);
    if (frame > 0) add_target(file, targets[frame - 1], throw_error, row);
    if (!grid) return;
    for (std::size_t i = 0; i < base.size(); ++i) row[i] = grid->position(row[i], i % 3);
  }

  void add_target(const RandomAccessFile& file, const GlbDocument::Accessor& target,
                  const GlbErrorThrower& throw_error, float* row) const {
    std::vector<float> values(3 * target.stored_count());
    read_glb_vectors(file, target, throw_error, values.data());
    if (target.is_float && grid) {
      for (float& value : values) value *= kMaxInt16;
    }
    if (target.sparse_count == 0) {
      for (std::size_t i = 0; i < values.size(); ++i) row[i] += values[i];
      return;
    }
    const float* displacement = values.data();
    for (const std::uint32_t v : read_glb_indices(file, target, throw_error)) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        row[3 * std::size_t{v} + axis] += *displacement++;
    }
  }
};

// A primitive in one part.
struct StoredPrimitive {
  std::uint64_t first_vertex = 0, vertex_count = 0;
  std::size_t part = 0;
  StoredAttribute positions;
  std::optional<StoredAttribute> normals, tangents;
};

class GlbReader final : public CacheFile {
 public:
  GlbReader(const std::string& path, const std::string& mesh) : CacheFile(path) {
    take(parse_glb(file(), path), mesh);
  }
  GlbReader(const std::string& path, const std::string& mesh, const ParsedGlb& parsed)
      : CacheFile(path) {
    take(parsed, mesh);
  }

  const CacheFormat& format() const override { return kGlb; }
  FrameRange frames() const override { return frames_; }
  bool has_times() const override { return true; }
  std::int64_t frame_count() const override { return frames_.frame_count; }
  std::int64_t vertex_count() const override { return static_cast<std::int64_t>(vertex_count_); }
  std::vector<CachePart> parts() const override { return parts_; }
  std::vector<CacheClip> clips() const override { return clips_; }

  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    read_rows(first_frame, count, rows, [](const StoredPrimitive& p) { return &p.positions; });
  }

  bool has_normals() const override {
    return std::any_of(primitives_.begin(), primitives_.end(),
                       [](const StoredPrimitive& p) { return p.normals.has_value(); });
  }
  void read_normals(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    read_directions(first_frame, count, rows, &StoredPrimitive::normals);
  }

  bool has_tangents() const override {
    return std::any_of(primitives_.begin(), primitives_.end(),
                       [](const StoredPrimitive& p) { return p.tangents.has_value(); });
  }
  void read_tangents(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    read_directions(first_frame, count, rows, &StoredPrimitive::tangents);
  }
  std::vector<float> tangent_signs() const override {
    std::vector<float> signs(vertex_count_);
    for (const StoredPrimitive& primitive : primitives_) {
      if (!primitive.tangents) continue;
      std::copy(primitive.tangents->signs.begin(), primitive.tangents->signs.end(),
                signs.begin() + static_cast<std::ptrdiff_t>(primitive.first_vertex));
    }
    return signs;
  }

 private:
  std::string chosen_mesh() const override { return selected_mesh_; }

  [[noreturn]] void refuse(const std::string& element, const std::string& cause) const {
    refuse_glb(path(), element, cause);
  }

  void take(const ParsedGlb& parsed, const std::string& mesh) {
    frames_ = parsed.frames;
    clips_ = parsed.clips;
    timeline_ = parsed.timeline;
    try {
      read_meshes(parsed.document, mesh);
      std::ranges::stable_sort(primitives_, {}, &StoredPrimitive::part);
    } catch (const Json::exception&) {
      refuse("the JSON text", "has a value of another type than the writer gives it");
    }
  }

  // Primitives without the attribute get zeros.
  void read_directions(std::int64_t first_frame, std::int64_t count, float* rows,
                       std::optional<StoredAttribute> StoredPrimitive::*attribute) const {
    std::fill_n(rows, static_cast<std::size_t>(count) * 3 * vertex_count_, 0.0F);
    read_rows(first_frame, count, rows,
              [&](const StoredPrimitive& p) { return p.*attribute ? &*(p.*attribute) : nullptr; });
  }

  // `attribute_of` returns the attribute to read from a primitive; null: the rows of the primitive
  // do not change.
  template <class AttributeOf>
  void read_rows(std::int64_t first_frame, std::int64_t count, float* rows,
                 const AttributeOf& attribute_of) const {
    for (std::int64_t f = first_frame; f < first_frame + count; ++f, rows += 3 * vertex_count_) {
      const auto frame = static_cast<std::size_t>(f);
      const auto as_target = timeline_.part_of_target(frame);
      const std::size_t part = as_target ? *as_target : *timeline_.part_of_base(frame);
      auto primitive = std::ranges::lower_bound(primitives_, part, {}, &StoredPrimitive::part);
      for (; primitive != primitives_.end() && primitive->part == part; ++primitive) {
        const StoredAttribute* attribute = attribute_of(*primitive);
        if (attribute == nullptr) continue;
        attribute->read(file(), frame - timeline_.parts[part].first, throw_error_,
                        rows + 3 * primitive->first_vertex);
      }
    }
  }

  void read_meshes(const GlbDocument& document, const std::string& wanted) {
    const std::optional<SelectedMesh> selected = select_mesh(document, wanted, path());
    if (selected) selected_mesh_ = selected->id;
    const std::vector<std::string> ids = read_mesh_ids(document);
    const Json& nodes = document.array(document.root(), "nodes", "the file");
    const Json& meshes = document.array(document.root(), "meshes", "the file");
    if (nodes.size() != meshes.size()) refuse("nodes", "are not as many as the meshes");
    const std::size_t parts = timeline_.parts.size();
    if (meshes.size() % parts != 0) refuse("meshes", "are not one for each part of the frames");
    const std::size_t mesh_count = meshes.size() / parts;
    if (!ids.empty() && ids.size() != mesh_count) {
      refuse("meshes", "are not as many as asset.extras lists");
    }
    for (std::size_t m = 0; m < mesh_count; ++m) {
      const bool is_wanted = !selected || selected->index == m;
      const std::size_t first = vertex_count_;
      std::size_t end = first;
      for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t i = m * parts + part;
        const GlbGrid grid = read_node(document, nodes[i], i, nodes.size());
        if (!is_wanted) continue;
        vertex_count_ = first;
        read_mesh(document, meshes[i], "mesh " + std::to_string(i), {part, grid});
        if (part > 0 && vertex_count_ != end) refuse("meshes", "have different vertices in time");
        end = vertex_count_;
      }
      if (!is_wanted || ids.size() < 2 || selected) continue;
      parts_.push_back({ids[m], static_cast<std::int64_t>(first),
                        static_cast<std::int64_t>(vertex_count_ - first)});
    }
    if (vertex_count_ == 0) refuse("meshes", "do not have vertices");
  }

  // Checks that node i shows mesh i without a transform except the grid's. Returns the grid.
  GlbGrid read_node(const GlbDocument& document, const Json& node, std::size_t i,
                    std::size_t node_count) const {
    const std::string owner = "node " + std::to_string(i);
    if (document.integer(node, "mesh", node_count, owner) != i) {
      refuse(owner, "shows another mesh than mesh " + std::to_string(i));
    }
    for (const auto& item : node.items()) {
      const bool is_grid = item.key() == "translation" || item.key() == "scale";
      const bool hides = item.key() == "scale" && i % timeline_.parts.size() > 0;
      const bool is_transform = hides || (is_grid && document.is_quantized());
      if (item.key() != "mesh" && item.key() != "name" && !is_transform) {
        refuse(owner, "has an unexpected member " + item.key());
      }
    }
    return document.is_quantized() ? document.grid(node, owner) : GlbGrid{};
  }

  // A part of the frames, and the grid of its node.
  struct Placement {
    std::size_t part;
    GlbGrid grid;
  };

  void read_mesh(const GlbDocument& document, const Json& mesh, const std::string& name,
                 const Placement& placement) {
    const Json& primitives = document.array(mesh, "primitives", name);
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      const std::string owner = name + " primitive " + std::to_string(p);
      const Json& attributes = document.member(primitives[p], "attributes", owner);
      const auto index = [&](const char* attribute) {
        return document.integer(attributes, attribute, bytes(), owner);
      };
      StoredPrimitive& primitive = primitives_.emplace_back();
      primitive.first_vertex = vertex_count_;
      primitive.part = placement.part;
      if (document.is_quantized()) primitive.positions.grid = placement.grid;
      const auto base = document.positions(index("POSITION"), owner);
      primitive.vertex_count = base.count;
      read_base(base, owner, primitive.positions);
      vertex_count_ += primitive.vertex_count;
      if (attributes.contains("NORMAL")) {
        const auto normals = document.directions(index("NORMAL"), owner);
        read_direction_base(document, normals, owner, primitive, primitive.normals);
      }
      if (attributes.contains("TANGENT")) {
        const auto tangents = document.tangents(index("TANGENT"), owner);
        read_direction_base(document, tangents, owner, primitive, primitive.tangents);
        read_signs(tangents, owner, *primitive.tangents);
      }
      if (timeline_.target_count(placement.part) > 0) {
        read_targets(document, primitives[p], owner, primitive);
      }
    }
  }

  // The bases of all primitives together must not exceed the file: otherwise accessors that share
  // bytes could request any amount of memory.
  void read_base(const GlbDocument::Accessor& base, const std::string& owner,
                 StoredAttribute& attribute) {
    if (base.sparse_count != 0) refuse(owner, "has a sparse base");
    base_bytes_ += base.stream_bytes != 0 ? base.stream_bytes : base.count * base.stride;
    if (base_bytes_ > bytes()) refuse(owner, "has more vertices than the file has bytes for");
    attribute.base.resize(3 * base.count);
    read_glb_vectors(file(), base, throw_error_, attribute.base.data());
  }

  // In a quantized file, normals and tangents are on the grid of normalized int16.
  void read_direction_base(const GlbDocument& document, const GlbDocument::Accessor& base,
                           const std::string& owner, const StoredPrimitive& primitive,
                           std::optional<StoredAttribute>& attribute) {
    if (base.count != primitive.vertex_count) {
      refuse(owner, "has another number of normals or tangents than of positions");
    }
    attribute.emplace();
    if (document.is_quantized()) attribute->grid.emplace();
    if (document.is_quantized() && base.is_float) {
      refuse(owner, "has normals of float in a quantized file");
    }
    read_base(base, owner, *attribute);
  }

  void read_signs(const GlbDocument::Accessor& base, const std::string& owner,
                  StoredAttribute& tangents) {
    tangents.signs = read_glb_signs(file(), base, throw_error_);
    for (const float sign : tangents.signs) {
      if (sign != 1 && sign != -1) refuse(owner, "has a tangent whose w is neither 1 nor -1");
    }
  }

  void read_targets(const GlbDocument& document, const Json& source, const std::string& owner,
                    StoredPrimitive& primitive) {
    const Json& targets = document.array(source, "targets", owner);
    const std::size_t frames = timeline_.parts[primitive.part].count();
    if (targets.size() + 1 != frames) {
      refuse(owner, "has " + std::to_string(targets.size()) + " targets for " +
                        std::to_string(frames) + " frames");
    }
    const std::size_t attributes = 1 + (primitive.normals ? 1 : 0) + (primitive.tangents ? 1 : 0);
    for (const Json& target : targets) {
      if (!target.is_object() || target.size() != attributes) {
        refuse(owner, "has a target with other attributes than the base");
      }
      const auto index = [&](const char* name) {
        return document.integer(target, name, bytes(), owner);
      };
      const auto add = [&](const GlbDocument::Accessor& accessor, StoredAttribute& attribute) {
        attribute.targets.push_back(accessor);
        if (accessor.count != primitive.vertex_count) {
          refuse(owner, "has a target of another number of vertices");
        }
      };
      add(document.positions(index("POSITION"), owner), primitive.positions);
      if (primitive.normals) add(document.directions(index("NORMAL"), owner), *primitive.normals);
      if (primitive.tangents) {
        add(document.directions(index("TANGENT"), owner), *primitive.tangents);
      }
    }
  }

  const GlbErrorThrower throw_error_ = [this](const std::string& element,
                                              const std::string& cause) { refuse(element, cause); };
  FrameRange frames_;  // of all clips
  std::vector<CacheClip> clips_;
  GlbTimeline timeline_;
  std::string selected_mesh_;  // id; empty: all meshes
  std::vector<CachePart> parts_;
  std::vector<StoredPrimitive> primitives_;  // in the order of their parts
  std::size_t vertex_count_ = 0;
  std::uint64_t base_bytes_ = 0;  // of all bases, in the file
};

}  // namespace

// Compares the beginning of the JSON with what the writer writes. Opening the file checks the rest.
bool is_baked_glb(const std::string& path) {
  try {
    const RandomAccessFile file(path);
    if (file.size() < kGlbJsonOffset + kBakedGlbBeginning.size()) return false;
    std::string text(kBakedGlbBeginning.size(), '\0');
    file.read_at(text.data(), text.size(), kGlbJsonOffset);
    return text == kBakedGlbBeginning;
  } catch (const Error&) {
    return false;
  }
}

std::unique_ptr<CacheReader> open_glb_cache(const std::string& path, const std::string& mesh) {
  return std::make_unique<GlbReader>(path, mesh);
}

std::shared_ptr<const ParsedGlb> parse_glb_cache(const std::string& path) {
  return std::make_shared<const ParsedGlb>(parse_glb(RandomAccessFile(path), path));
}

std::unique_ptr<CacheReader> open_glb_cache(const std::string& path, const std::string& mesh,
                                            const ParsedGlb& parsed) {
  return std::make_unique<GlbReader>(path, mesh, parsed);
}

}  // namespace skinbake
