// A baked GLB as a source of frames: frame f is the base plus target f - 1.
//
// The reader accepts only what the writer writes. A GLB can move vertices in many ways, and any
// other file would give wrong frames. So asset.extras.skinbake must exist, and nodes, targets,
// weights and animation must be those of the writer. Every count is checked against the size of the
// file before memory is allocated for it.

#include "caches/glb/read/reader.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "caches/cache_file.h"
#include "caches/glb/options.h"
#include "caches/glb/read/document.h"
#include "caches/glb/timeline.h"
#include "skinbake/error.h"
#include "skinbake/tool/words/nearest_word.h"

namespace skinbake {

namespace {

using nlohmann::json;

constexpr const char* kMetadata = "asset.extras.skinbake";
constexpr const char* kMetadataMeshes = "asset.extras.skinbake.meshes";

const json& metadata_of(const GlbDocument& document) {
  const json& asset = document.member(document.root(), "asset", "the file");
  return document.member(document.member(asset, "extras", "asset"), "skinbake", "asset.extras");
}

FrameRange read_frame_range(const GlbDocument& document, const json& source, double fps) {
  constexpr std::uint64_t kMaxFrame = std::uint64_t{1} << 40;
  constexpr std::uint64_t kMaxFrameCount = std::uint64_t{1} << 20;  // the writer's limit
  const auto integer = [&](const char* name, std::uint64_t max) {
    return static_cast<std::int64_t>(document.integer(source, name, max, kMetadata));
  };
  const FrameRange frames{fps, integer("first_frame", kMaxFrame), integer("frame_step", kMaxFrame),
                          integer("frame_count", kMaxFrameCount)};
  if (frames.frame_step < 1 || frames.frame_count < 1) {
    document.fail(kMetadata, "does not have frames");
  }
  return frames;
}

FrameRange read_all_frames(const GlbDocument& document) {
  const json& metadata = metadata_of(document);
  const json& fps = document.member(metadata, "fps", kMetadata);
  if (!fps.is_number() || !(fps.get<double>() > 0) || !std::isfinite(fps.get<double>())) {
    document.fail(kMetadata, "fps is not a positive, finite number");
  }
  return read_frame_range(document, metadata, fps.get<double>());
}

// The clips and the parts of the file. `all`: the frames of all clips.
GlbTimeline read_timeline(const GlbDocument& document, const FrameRange& all) {
  constexpr std::int64_t kMaxFramesOfPart = 46341;  // the writer's limit
  const json& metadata = metadata_of(document);
  std::vector<std::int64_t> counts;
  std::int64_t sum = 0;
  if (metadata.contains("clips")) {
    for (const json& clip : document.array(metadata, "clips", kMetadata)) {
      counts.push_back(read_frame_range(document, clip, all.fps).frame_count);
      sum += counts.back();
    }
  } else {
    counts.push_back(sum = all.frame_count);
  }
  if (sum != all.frame_count) document.fail(kMetadata, "does not list the clips of all frames");
  const std::uint64_t max_targets =
      metadata.contains("split") ? document.integer(metadata, "split", kMaxViewerTargets, kMetadata)
                                 : 0;
  if (max_targets % kFramesPerBlock != 0) document.fail(kMetadata, "has an invalid split");
  if (max_targets == 0 && sum > kMaxFramesOfPart) document.fail(kMetadata, "has too many frames");
  return plan_timeline(counts, max_targets);
}

// The ids of all meshes, in their order; empty if the file does not list them.
std::vector<std::string> read_mesh_ids(const GlbDocument& document) {
  const json& metadata = metadata_of(document);
  if (!metadata.contains("meshes")) return {};
  std::vector<std::string> ids;
  for (const json& mesh : document.array(metadata, "meshes", kMetadata)) {
    ids.push_back(document.member(mesh, "id", kMetadataMeshes).get<std::string>());
  }
  return ids;
}

// One of several meshes in the file.
struct SelectedMesh {
  std::size_t index = 0;
  std::string id;
};

// Finds the mesh `wanted`: a mesh's id, or "#" and the index of its node; empty: all meshes. None
// if `wanted` is empty or names the only mesh. If the file does not have the mesh, throws Error
// (kUsage) that lists the meshes.
std::optional<SelectedMesh> select_mesh(const GlbDocument& document, const std::string& wanted,
                                        const std::string& path) {
  if (wanted.empty()) return std::nullopt;
  const json& meshes = document.array(metadata_of(document), "meshes", kMetadata);
  std::string ids;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const auto id = document.member(meshes[i], "id", kMetadataMeshes).get<std::string>();
    const json& node = document.member(meshes[i], "node", kMetadataMeshes);
    if (id == wanted || "#" + node.dump() == wanted) {
      return meshes.size() > 1 ? std::optional(SelectedMesh{i, id}) : std::nullopt;
    }
    ids += (ids.empty() ? "'" : ", '") + id + "'";
    known.push_back(id);
  }
  throw Error(
      ErrorKind::kUsage, "MESH_UNKNOWN",
      "no mesh '" + wanted + "' in the cache; there are: " + ids + did_you_mean(wanted, known),
      {path, ""});
}

// The weights of a part in the frames of a clip, as the writer lists them: 1 for the target of the
// frame. If no frame has a target, one zero is listed.
struct ListedWeights {
  std::vector<std::uint32_t> indices;
  std::vector<float> values;

  ListedWeights(const GlbFrameSpan& part, const GlbFrameSpan& shown) {
    for (std::size_t f = std::max(shown.first, part.first + 1); f < shown.end; ++f) {
      const std::size_t index = (f - shown.first) * (part.count() - 1) + f - part.first - 1;
      indices.push_back(static_cast<std::uint32_t>(index));
    }
    values.assign(indices.size(), 1);
    if (indices.empty()) indices = {0}, values = {0};
  }
};

void check_weights(const GlbDocument& document, const RandomAccessFile& file, const json& sampler,
                   const GlbFrameSpan& part, const GlbFrameSpan& shown, const std::string& owner) {
  const auto scalars = [&](const char* name) {
    return document.scalars(document.integer(sampler, name, file.size(), owner), owner);
  };
  const ListedWeights expected(part, shown);
  const auto times = scalars("input"), weights = scalars("output");
  if (times.count != shown.count() || weights.count != times.count * (part.count() - 1) ||
      weights.sparse_count != expected.indices.size() || weights.index_bytes != 4) {
    document.fail(owner, "does not have one key and one weight for each frame");
  }
  std::vector<std::uint32_t> indices(weights.sparse_count);
  std::vector<float> values(weights.sparse_count);
  file.read_at(indices.data(), indices.size() * 4, weights.indices_offset);
  file.read_at(values.data(), values.size() * 4, weights.values_offset);
  if (indices != expected.indices || values != expected.values) {
    document.fail(owner, "has a frame in which not exactly one weight is 1");
  }
}

// Checks the weights of all animations. Their samplers precede those of the nodes' scales, which
// select the visible part and do not move vertices.
void check_animations(const GlbDocument& document, const RandomAccessFile& file,
                      const GlbTimeline& timeline) {
  const json& animations = document.array(document.root(), "animations", "the file");
  if (animations.size() != timeline.clips.size()) {
    document.fail("the file", "does not have exactly one animation for each clip");
  }
  for (std::size_t c = 0; c < timeline.clips.size(); ++c) {
    const std::string owner = "animation " + std::to_string(c);
    const json& samplers = document.array(animations[c], "samplers", owner);
    std::size_t next = 0;
    for (std::size_t part = 0; part < timeline.parts.size(); ++part) {
      const GlbFrameSpan shown = timeline.shown(part, c);
      if (shown.count() == 0 || timeline.target_count(part) == 0) continue;
      if (next >= samplers.size()) document.fail(owner, "does not have a sampler for each mesh");
      check_weights(document, file, samplers[next++], timeline.parts[part], shown, owner);
    }
    if (timeline.parts.size() == 1 && samplers.size() != next) {
      document.fail(owner, "does not have exactly one sampler");
    }
  }
}

[[noreturn]] void refuse_glb(const std::string& path, const std::string& element,
                             const std::string& cause) {
  throw Error(ErrorKind::kInput, "CACHE_INVALID",
              element + ": " + cause + "; only a GLB cache that skinbake wrote can be read",
              {path, ""});
}

}  // namespace

struct ParsedGlb {
  GlbDocument document;
  FrameRange frames;  // of all clips
  GlbTimeline timeline;
};

namespace {

ParsedGlb parse_glb(const RandomAccessFile& file, const std::string& path) {
  const GlbErrorThrower refuse = [path](const std::string& element, const std::string& cause) {
    refuse_glb(path, element, cause);
  };
  try {
    ParsedGlb parsed{read_glb_document(file, refuse), {}, {}};
    parsed.frames = read_all_frames(parsed.document);
    parsed.timeline = read_timeline(parsed.document, parsed.frames);
    if (parsed.frames.frame_count > 1) check_animations(parsed.document, file, parsed.timeline);
    return parsed;
  } catch (const json::exception&) {
    refuse("the JSON text", "has a value of another type than the writer gives it");
    throw;  // unreachable
  }
}

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

  std::string_view format() const override { return "glb"; }
  FrameRange frames() const override { return frames_; }
  bool has_times() const override { return true; }
  std::int64_t frame_count() const override { return frames_.frame_count; }
  std::int64_t vertex_count() const override { return static_cast<std::int64_t>(vertex_count_); }
  std::vector<CachePart> parts() const override { return parts_; }

  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    read_rows(first_frame, count, rows, [](const StoredPrimitive& p) { return &p.positions; });
  }

  bool has_normals() const override {
    return std::all_of(primitives_.begin(), primitives_.end(),
                       [](const StoredPrimitive& p) { return p.normals.has_value(); });
  }
  void read_normals(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    read_rows(first_frame, count, rows, [](const StoredPrimitive& p) { return &*p.normals; });
  }

  bool has_tangents() const override {
    return std::any_of(primitives_.begin(), primitives_.end(),
                       [](const StoredPrimitive& p) { return p.tangents.has_value(); });
  }
  void read_tangents(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    std::fill_n(rows, static_cast<std::size_t>(count) * 3 * vertex_count_, 0.0F);
    read_rows(first_frame, count, rows,
              [](const StoredPrimitive& p) { return p.tangents ? &*p.tangents : nullptr; });
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
    timeline_ = parsed.timeline;
    try {
      read_meshes(parsed.document, mesh);
    } catch (const json::exception&) {
      refuse("the JSON text", "has a value of another type than the writer gives it");
    }
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
      for (const StoredPrimitive& primitive : primitives_) {
        const StoredAttribute* attribute = attribute_of(primitive);
        if (attribute == nullptr || primitive.part != part) continue;
        attribute->read(file(), frame - timeline_.parts[part].first, throw_error_,
                        rows + 3 * primitive.first_vertex);
      }
    }
  }

  void read_meshes(const GlbDocument& document, const std::string& wanted) {
    const std::optional<SelectedMesh> selected = select_mesh(document, wanted, path());
    if (selected) selected_mesh_ = selected->id;
    const std::vector<std::string> ids = read_mesh_ids(document);
    const json& nodes = document.array(document.root(), "nodes", "the file");
    const json& meshes = document.array(document.root(), "meshes", "the file");
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
  GlbGrid read_node(const GlbDocument& document, const json& node, std::size_t i,
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

  void read_mesh(const GlbDocument& document, const json& mesh, const std::string& name,
                 const Placement& placement) {
    const json& primitives = document.array(mesh, "primitives", name);
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      const std::string owner = name + " primitive " + std::to_string(p);
      const json& attributes = document.member(primitives[p], "attributes", owner);
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
                  StoredAttribute& tangents) const {
    tangents.signs = read_glb_signs(file(), base, throw_error_);
    for (const float sign : tangents.signs) {
      if (sign != 1 && sign != -1) refuse(owner, "has a tangent whose w is neither 1 nor -1");
    }
  }

  void read_targets(const GlbDocument& document, const json& source, const std::string& owner,
                    StoredPrimitive& primitive) const {
    const json& targets = document.array(source, "targets", owner);
    const std::size_t frames = timeline_.parts[primitive.part].count();
    if (targets.size() + 1 != frames) {
      refuse(owner, "has " + std::to_string(targets.size()) + " targets for " +
                        std::to_string(frames) + " frames");
    }
    const std::size_t attributes = 1 + (primitive.normals ? 1 : 0) + (primitive.tangents ? 1 : 0);
    for (const json& target : targets) {
      if (!target.is_object() || target.size() != attributes) {
        refuse(owner, "has a target whose attributes are not those of the base");
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
  GlbTimeline timeline_;
  std::string selected_mesh_;  // id; empty: all meshes
  std::vector<CachePart> parts_;
  std::vector<StoredPrimitive> primitives_;
  std::size_t vertex_count_ = 0;
  std::uint64_t base_bytes_ = 0;  // of all bases, in the file
};

}  // namespace

// Compares the beginning of the JSON with that of the writer. Opening the file checks the rest.
bool is_baked_glb(const std::string& path) {
  constexpr std::string_view kBeginning =
      "{\n  \"asset\": {\n    \"version\": \"2.0\",\n    \"generator\": \"skinbake ";
  try {
    const RandomAccessFile file(path);
    if (file.size() < kGlbJsonOffset + kBeginning.size()) return false;
    std::string text(kBeginning.size(), '\0');
    file.read_at(text.data(), text.size(), kGlbJsonOffset);
    return text == kBeginning;
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
