// The JSON of a baked GLB.

#include <algorithm>

#include "caches/glb_layout.h"
#include "json/json_writer.h"

namespace skinbake {

namespace {

constexpr int kVertices = 34962, kIndices = 34963;  // a bufferView's target
constexpr int kFloat = 5126, kU32 = 5125, kU16 = 5123;
constexpr int kPositionBytes = 3 * sizeof(float);

std::string without_newline(std::string text) {
  text.pop_back();
  return text;
}

// Accessors and views, numbered as they are added.
class Parts {
 public:
  Parts() {
    accessors_.begin_array();
    views_.begin_array();
  }

  int view(const GlbView& view, int target = 0, int stride = 0) {
    views_.begin_line_object().key("buffer").value(0);
    views_.key("byteOffset").value(view.offset).key("byteLength").value(view.bytes);
    if (stride != 0) views_.key("byteStride").value(stride);
    if (target != 0) views_.key("target").value(target);
    views_.end_object();
    return view_count_++;
  }

  // The caller adds what is particular and calls close().
  JsonWriter& open(int component_type, std::int64_t count, const std::string& type) {
    accessors_.begin_line_object().key("componentType").value(component_type);
    accessors_.key("count").value(count).key("type").value(type);
    return accessors_;
  }
  int close() {
    accessors_.end_object();
    return accessor_count_++;
  }

  JsonWriter& accessors() { return accessors_; }

  void bounds(const GlbBounds& bounds) {
    accessors_.key("min").numbers(bounds.min).key("max").numbers(bounds.max);
  }

  int plain(int view, int component_type, std::int64_t count, const std::string& type) {
    open(component_type, count, type).key("bufferView").value(view);
    return close();
  }

  struct Sparse {
    std::int64_t count;
    int indices, index_type;
    std::uint64_t indices_offset;
    int values;
    std::uint64_t values_offset;
  };
  void sparse(const Sparse& s) {
    JsonWriter& a = accessors_;
    a.key("sparse").begin_line_object().key("count").value(s.count);
    a.key("indices").begin_line_object().key("bufferView").value(s.indices);
    a.key("byteOffset").value(s.indices_offset).key("componentType").value(s.index_type);
    a.end_object();
    a.key("values").begin_line_object().key("bufferView").value(s.values);
    a.key("byteOffset").value(s.values_offset).end_object();
    a.end_object();
  }

  void write(JsonWriter& json) {
    accessors_.end_array();
    views_.end_array();
    json.key("accessors").raw(without_newline(accessors_.take()));
    json.key("bufferViews").raw(without_newline(views_.take()));
  }

 private:
  JsonWriter accessors_, views_;
  int accessor_count_ = 0, view_count_ = 0;
};

void write_raw_array(JsonWriter& json, const char* key, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  json.key(key).begin_array();
  for (const std::string& text : texts) json.raw(text);
  json.end_array();
}

class Writer {
 public:
  explicit Writer(const GlbLayout& layout) : layout_(layout) {}

  std::string write() {
    json_.begin_object();
    write_asset();
    if (!layout_.looks.extensions_used.empty()) {
      json_.key("extensionsUsed").strings(layout_.looks.extensions_used);
    }
    if (!layout_.looks.extensions_required.empty()) {
      json_.key("extensionsRequired").strings(layout_.looks.extensions_required);
    }
    write_scene();
    write_looks();
    json_.key("meshes").begin_array();
    for (const GlbMesh& mesh : layout_.meshes) write_mesh(mesh);
    json_.end_array();
    if (frames().frame_count > 1) write_animation();
    parts_.write(json_);
    json_.key("buffers").begin_array().begin_line_object();
    json_.key("byteLength").value(layout_.bytes).end_object().end_array();
    json_.end_object();
    return json_.take();
  }

 private:
  const CacheHeader& header() const { return layout_.meshes.front().header; }
  const FrameRange& frames() const { return header().frames; }

  void write_asset() {
    json_.key("asset").begin_object();
    json_.key("version").value("2.0");
    json_.key("generator").value("skinbake " SKINBAKE_VERSION);
    if (!layout_.copyright.empty()) json_.key("copyright").value(layout_.copyright);
    json_.key("extras").begin_object().key("skinbake").begin_object();
    json_.key("method").value(header().method);
    json_.key("modifiers").strings(header().modifiers);
    json_.key("clip");
    header().clip.empty() ? json_.null() : json_.value(header().clip);
    json_.key("fps").value(frames().fps);
    json_.key("first_frame").value(frames().first_frame);
    json_.key("frame_step").value(frames().frame_step);
    json_.key("frame_count").value(frames().frame_count);
    json_.key("space").value(header().space == Space::kScene ? "scene" : "mesh");
    json_.key("meshes").begin_array();
    for (const GlbMesh& mesh : layout_.meshes) write_origin(*mesh.header.rig);
    json_.end_array();
    json_.key("inputs").begin_array();
    for (const InputFile& input : header().inputs) {
      json_.begin_line_object().key("role").value(input.role).key("path").value(input.path);
      json_.key("bytes").value(input.bytes).key("xxh128").value(input.xxh128).end_object();
    }
    json_.end_array().end_object().end_object().end_object();
  }

  void write_origin(const Rig& rig) {
    json_.begin_line_object().key("id").value(rig.id).key("node").value(rig.node).end_object();
  }

  void write_scene() {
    json_.key("scene").value(0);
    json_.key("scenes").begin_array().begin_line_object().key("nodes").begin_line_array();
    for (std::size_t i = 0; i < layout_.meshes.size(); ++i) json_.value(std::uint64_t{i});
    json_.end_array().end_object().end_array();
    json_.key("nodes").begin_array();
    for (std::size_t i = 0; i < layout_.meshes.size(); ++i) {
      const Rig& rig = *layout_.meshes[i].header.rig;
      const std::string& name = rig.skeleton->nodes[static_cast<std::size_t>(rig.node)].name;
      json_.begin_line_object();
      if (!name.empty()) json_.key("name").value(name);
      json_.key("mesh").value(std::uint64_t{i}).end_object();
    }
    json_.end_array();
  }

  void write_looks() {
    write_raw_array(json_, "materials", layout_.looks.materials);
    write_raw_array(json_, "textures", layout_.looks.textures);
    write_raw_array(json_, "samplers", layout_.looks.samplers);
    if (layout_.images.empty()) return;
    json_.key("images").begin_array();
    for (std::size_t i = 0; i < layout_.images.size(); ++i) {
      const ImageFile& image = *layout_.looks.images[i];
      json_.begin_line_object();
      if (!image.name.empty()) json_.key("name").value(image.name);
      json_.key("mimeType").value(image.mime_type);
      json_.key("bufferView").value(parts_.view(layout_.images[i])).end_object();
    }
    json_.end_array();
  }

  void write_mesh(const GlbMesh& mesh) {
    json_.begin_object();
    const std::string& name = mesh.header.rig->mesh->name;
    if (!name.empty()) json_.key("name").value(name);
    const int base = parts_.view(mesh.base, kVertices, kPositionBytes);
    add_block_views(mesh);
    json_.key("primitives").begin_array();
    for (std::size_t p = 0; p < mesh.primitives.size(); ++p) write_primitive(mesh, p, base);
    json_.end_array();
    if (mesh.target_count() > 0) {
      json_.key("weights").numbers(
          std::vector<double>(static_cast<std::size_t>(mesh.target_count())));
      json_.key("extras").begin_object().key("targetNames").begin_line_array();
      for (std::int64_t k = 1; k <= mesh.target_count(); ++k) {
        json_.value("frame " + std::to_string(frames().frame(k)));
      }
      json_.end_array().end_object();
    }
    json_.end_object();
  }

  void add_block_views(const GlbMesh& mesh) {
    block_views_.clear();
    for (const GlbBlock& block : mesh.blocks) {
      BlockViews& views = block_views_.emplace_back();
      if (block.dense.bytes != 0) {
        views.dense = parts_.view(block.dense, kVertices, kPositionBytes);
      }
      if (block.values.bytes == 0) continue;
      views.values = parts_.view(block.values);
      views.indices = parts_.view(block.indices);
    }
  }

  void write_primitive(const GlbMesh& mesh, std::size_t p, int base) {
    const GlbPrimitive& primitive = mesh.primitives[p];
    const std::int64_t vertices = primitive.vertices.vertex_count;
    json_.begin_object();
    json_.key("attributes").begin_line_object();
    parts_.open(kFloat, vertices, "VEC3").key("bufferView").value(base);
    parts_.accessors()
        .key("byteOffset")
        .value(std::uint64_t{primitive.vertices.first_vertex} * kPositionBytes);
    parts_.bounds(primitive.bounds);
    json_.key("POSITION").value(parts_.close());
    for (std::size_t a = 0; a < primitive.attributes.size(); ++a) {
      const VertexAttribute& attribute = primitive.extras->attributes[a];
      json_.key(attribute.name)
          .value(parts_.plain(parts_.view(primitive.attributes[a], kVertices), kFloat, vertices,
                              "VEC" + std::to_string(attribute.width)));
    }
    json_.end_object();
    if (primitive.indices.bytes != 0) {
      json_.key("indices").value(
          parts_.plain(parts_.view(primitive.indices, kIndices), primitive.index_type,
                       static_cast<std::int64_t>(primitive.extras->indices.size()), "SCALAR"));
    }
    if (primitive.extras != nullptr && primitive.extras->material >= 0) {
      json_.key("material").value(layout_.looks.material_numbers.at(primitive.extras->material));
    }
    if (primitive.extras != nullptr && primitive.extras->mode != kTriangles) {
      json_.key("mode").value(primitive.extras->mode);
    }
    write_targets(mesh, p);
    json_.end_object();
  }

  void write_targets(const GlbMesh& mesh, std::size_t p) {
    if (mesh.target_count() == 0) return;
    json_.key("targets").begin_line_array();
    int still = -1;
    for (std::int64_t k = 0; k < mesh.target_count(); ++k) {
      const GlbTarget& target =
          mesh.targets[static_cast<std::size_t>(k) * mesh.primitives.size() + p];
      int accessor = still;
      if (target.kind != GlbTarget::Kind::kStill || still < 0) {
        const std::size_t block = static_cast<std::size_t>(k + 1) / kFramesPerBlock;
        accessor = add_target(mesh.primitives[p], target, block);
      }
      if (target.kind == GlbTarget::Kind::kStill) still = accessor;
      json_.begin_line_object().key("POSITION").value(accessor).end_object();
    }
    json_.end_array();
  }

  int add_target(const GlbPrimitive& primitive, const GlbTarget& target, std::size_t block) {
    const std::int64_t vertices = primitive.vertices.vertex_count;
    const int index_type = glb_index_bytes(primitive.vertices.vertex_count) == 2 ? kU16 : kU32;
    JsonWriter& a = parts_.open(kFloat, vertices, "VEC3");
    if (target.kind == GlbTarget::Kind::kDense) {
      a.key("bufferView").value(block_views_[block].dense);
      a.key("byteOffset").value(target.values_offset);
      parts_.bounds(target.bounds);
    } else if (target.kind == GlbTarget::Kind::kSparse) {
      parts_.bounds(target.bounds);
      parts_.sparse({target.moved, block_views_[block].indices, index_type, target.indices_offset,
                     block_views_[block].values, target.values_offset});
    } else {
      if (zero_values_ < 0) {
        zero_values_ = parts_.view({layout_.zeros.offset, kPositionBytes});
        zero_index_ = parts_.view({layout_.zeros.offset + kPositionBytes, sizeof(std::uint32_t)});
      }
      parts_.bounds({{0, 0, 0}, {0, 0, 0}});
      parts_.sparse({1, zero_index_, kU32, 0, zero_values_, 0});
    }
    return parts_.close();
  }

  // One sampler for all meshes: their frames are the same.
  void write_animation() {
    const std::int64_t count = frames().frame_count;
    const int times = parts_.view(layout_.times);
    parts_.open(kFloat, count, "SCALAR").key("bufferView").value(times);
    const std::array<float, 1> first{static_cast<float>(layout_.first_time_s)},
        last{static_cast<float>(layout_.last_time_s)};
    parts_.accessors().key("min").numbers(first).key("max").numbers(last);
    const int input = parts_.close();
    const int places = parts_.view(layout_.weight_places);
    const int values = parts_.view(layout_.weight_values);
    parts_.open(kFloat, count * (count - 1), "SCALAR");
    parts_.sparse({count - 1, places, kU32, 0, values, 0});
    const int output = parts_.close();
    json_.key("animations").begin_array().begin_object();
    if (!header().clip.empty()) json_.key("name").value(header().clip);
    json_.key("samplers").begin_array().begin_line_object();
    json_.key("input").value(input).key("output").value(output);
    json_.key("interpolation").value(layout_.step ? "STEP" : "LINEAR").end_object().end_array();
    json_.key("channels").begin_array();
    for (std::size_t i = 0; i < layout_.meshes.size(); ++i) {
      json_.begin_line_object().key("sampler").value(0).key("target").begin_line_object();
      json_.key("node").value(std::uint64_t{i}).key("path").value("weights");
      json_.end_object().end_object();
    }
    json_.end_array().end_object().end_array();
  }

  static constexpr int kTriangles = 4;
  struct BlockViews {
    int dense = -1, values = -1, indices = -1;
  };

  const GlbLayout& layout_;
  JsonWriter json_;
  Parts parts_;
  std::vector<BlockViews> block_views_;  // of the mesh that is being written
  int zero_values_ = -1, zero_index_ = -1;
};

}  // namespace

std::string glb_json(const GlbLayout& layout) {
  return Writer(layout).write();
}

// Every number as long as it can be, every target sparse, which takes the longest text.
std::uint64_t longest_glb_json(GlbLayout layout) {
  constexpr std::uint32_t kLongestCount = std::numeric_limits<std::uint32_t>::max();
  constexpr GlbView kLongestView{kLongestCount, kLongestCount};
  constexpr float kLongest = -1.17549435e-38F;  // nine digits and an exponent
  constexpr GlbBounds kLongestBounds{{kLongest, kLongest, kLongest},
                                     {kLongest, kLongest, kLongest}};
  constexpr std::uint64_t kStillBytes = 512;  // the accessor of targets that do not move, its views
  layout.bytes = kLongestCount;
  std::uint64_t bytes = kStillBytes;
  for (GlbMesh& mesh : layout.meshes) {
    mesh.base = kLongestView;
    for (GlbPrimitive& primitive : mesh.primitives) primitive.bounds = kLongestBounds;
    std::fill(mesh.blocks.begin(), mesh.blocks.end(),
              GlbBlock{kLongestView, kLongestView, kLongestView});
    std::fill(mesh.targets.begin(), mesh.targets.end(),
              GlbTarget{GlbTarget::Kind::kSparse, kLongestCount, kLongestCount, kLongestCount,
                        kLongestBounds});
    bytes += kStillBytes * mesh.primitives.size();
  }
  return bytes + glb_json(layout).size();
}

}  // namespace skinbake
