#include "caches/glb/write/json.h"

#include <algorithm>
#include <array>
#include <vector>

#include "caches/glb/encoding.h"
#include "json/json_writer.h"

namespace skinbake {

namespace {

constexpr int kTriangles = 4;                               // a primitive's mode
constexpr int kVertexTarget = 34962, kIndexTarget = 34963;  // a bufferView's target
constexpr int kPositionStride = static_cast<int>(kFloatVertexBytes);
constexpr int kQuantizedStride = static_cast<int>(kQuantizedVertexBytes);

std::string without_newline(std::string text) {
  text.pop_back();
  return text;
}

// The arrays `accessors` and `bufferViews`. Functions that add an element return its index.
class AccessorArrays {
 public:
  AccessorArrays() {
    accessors_.begin_array();
    views_.begin_array();
  }

  int add_view(const BinRange& range, int target = 0, int stride = 0) {
    views_.begin_line_object().key("buffer").value(0);
    views_.key("byteOffset").value(range.offset).key("byteLength").value(range.bytes);
    if (stride != 0) views_.key("byteStride").value(stride);
    if (target != 0) views_.key("target").value(target);
    views_.end_object();
    return view_count_++;
  }

  // The view of a meshopt stream. Its decoded elements have a range in the fallback buffer.
  int add_compressed_view(const BinRange& stream, std::uint64_t elements,
                          std::uint64_t element_bytes) {
    const std::uint64_t bytes = elements * element_bytes;
    const auto write_range = [&](std::uint64_t buffer, const BinRange& range) {
      views_.key("buffer").value(buffer).key("byteOffset").value(range.offset);
      views_.key("byteLength").value(range.bytes).key("byteStride").value(element_bytes);
    };
    views_.begin_line_object();
    write_range(1, {decoded_bytes_, bytes});
    views_.key("target").value(kVertexTarget);
    views_.key("extensions").begin_line_object();
    views_.key("EXT_meshopt_compression").begin_line_object();
    write_range(0, stream);
    views_.key("mode").value("ATTRIBUTES").key("count").value(elements);
    views_.end_object().end_object().end_object();
    decoded_bytes_ += bytes;
    return view_count_++;
  }
  std::uint64_t decoded_bytes() const { return decoded_bytes_; }  // of all compressed views

  // Writes the members that every accessor has. The caller adds the other members and then calls
  // end_accessor(), which returns the accessor's index.
  JsonWriter& begin_accessor(int component_type, std::int64_t count, const std::string& type) {
    accessors_.begin_line_object().key("componentType").value(component_type);
    accessors_.key("count").value(count).key("type").value(type);
    return accessors_;
  }
  int end_accessor() {
    accessors_.end_object();
    return accessor_count_++;
  }

  void write_bounds(const Box& bounds) {
    accessors_.key("min").numbers(bounds.min).key("max").numbers(bounds.max);
  }

  struct Sparse {
    std::int64_t count;
    int indices_view, index_type;
    std::uint64_t indices_offset;
    int values_view;
    std::uint64_t values_offset;
  };
  void write_sparse(const Sparse& sparse) {
    JsonWriter& a = accessors_;
    a.key("sparse").begin_line_object().key("count").value(sparse.count);
    a.key("indices").begin_line_object().key("bufferView").value(sparse.indices_view);
    a.key("byteOffset").value(sparse.indices_offset).key("componentType").value(sparse.index_type);
    a.end_object();
    a.key("values").begin_line_object().key("bufferView").value(sparse.values_view);
    a.key("byteOffset").value(sparse.values_offset).end_object();
    a.end_object();
  }

  // An accessor of a whole view.
  int add_accessor(int view, int component_type, std::int64_t count, const std::string& type) {
    begin_accessor(component_type, count, type).key("bufferView").value(view);
    return end_accessor();
  }

  // Writes both arrays as members of the open object.
  void write(JsonWriter& json) {
    accessors_.end_array();
    views_.end_array();
    json.key("accessors").raw(without_newline(accessors_.take()));
    json.key("bufferViews").raw(without_newline(views_.take()));
  }

 private:
  JsonWriter accessors_, views_;
  int accessor_count_ = 0, view_count_ = 0;
  std::uint64_t decoded_bytes_ = 0;
};

// The name of a mesh or a node in a part: "arm", "arm_2".
std::string part_name(const std::string& name, std::size_t part) {
  return part == 0 ? name : name + "_" + std::to_string(part + 1);
}

// The elements of the array `meshes`: primitives and their morph targets.
class MeshJson {
 public:
  // All three arguments must outlive the object.
  MeshJson(const GlbLayout& layout, AccessorArrays& arrays, JsonWriter& json)
      : layout_(layout), arrays_(arrays), json_(json) {}

  // Writes the meshes of all parts.
  void write(const GlbMesh& mesh) {
    static_.assign(mesh.primitives.size(), {});
    views_.assign(mesh.attributes.size(), {});
    for (part_ = 0; part_ < layout_.timeline.parts.size(); ++part_) write_part(mesh);
  }

 private:
  // Indices of bufferViews; -1: the layout's range is empty.
  struct BlockViews {
    int dense = -1, sparse_values = -1, sparse_indices = -1, floats = -1;
  };
  struct AttributeViews {
    int base = -1;  // of the part; -1: each primitive has a compressed view
    std::vector<BlockViews> blocks;
  };
  // Accessors of a primitive that all parts share; empty: not added yet.
  struct StaticAccessors {
    std::vector<int> attributes;
    int indices = -1;
  };

  void write_part(const GlbMesh& mesh) {
    json_.begin_object();
    const std::string& name = mesh.header.rig->mesh->name;
    if (!name.empty()) json_.key("name").value(part_name(name, part_));
    for (std::size_t a = 0; a < mesh.attributes.size(); ++a)
      add_views(mesh.attributes[a], views_[a]);
    json_.key("primitives").begin_array();
    for (std::size_t p = 0; p < mesh.primitives.size(); ++p) write_primitive(mesh, p);
    json_.end_array();
    if (target_count() > 0) {
      json_.key("weights").numbers(std::vector<double>(target_count()));
      json_.key("extras").begin_object().key("targetNames").begin_line_array();
      for (std::size_t f = span().first + 1; f < span().end; ++f) json_.value(frame_name(f));
      json_.end_array().end_object();
    }
    json_.end_object();
  }

  const GlbFrameSpan& span() const { return layout_.timeline.parts[part_]; }
  std::size_t target_count() const { return layout_.timeline.target_count(part_); }

  // "frame 7"; in a file of several clips "walk frame 7".
  std::string frame_name(std::size_t frame) const {
    std::size_t c = 0;
    while (!layout_.timeline.clips[c].contains(frame)) ++c;
    const GlbClip& clip = layout_.clips[c];
    const auto position = static_cast<std::int64_t>(frame - layout_.timeline.clips[c].first);
    const std::string name = "frame " + std::to_string(clip.frames.frame(position));
    return layout_.clips.size() == 1 ? name : clip.id + " " + name;
  }

  JsonWriter& begin_vectors(std::int64_t vertices, const char* type = "VEC3") {
    if (!layout_.options.is_quantized()) {
      return arrays_.begin_accessor(kComponentFloat, vertices, type);
    }
    return arrays_.begin_accessor(kComponentInt16, vertices, type).key("normalized").value(true);
  }

  int dense_stride() const {
    return layout_.options.is_quantized() ? kQuantizedStride : kPositionStride;
  }
  int base_stride(const GlbMorphedAttribute& attribute) const {
    const bool has_w = attribute.name == kTangentAttribute && !layout_.options.is_quantized();
    return dense_stride() + (has_w ? static_cast<int>(sizeof(float)) : 0);
  }

  void add_views(const GlbMorphedAttribute& attribute, AttributeViews& views) {
    if (!layout_.options.meshopt) {
      views.base =
          arrays_.add_view(attribute.bases[part_].range, kVertexTarget, base_stride(attribute));
    }
    if (!views.blocks.empty()) return;  // an earlier part has added them
    for (const GlbBlock& block : attribute.blocks) {
      BlockViews& added = views.blocks.emplace_back();
      if (!block.dense.is_empty()) {
        added.dense = arrays_.add_view(block.dense, kVertexTarget, dense_stride());
      }
      if (!block.floats.is_empty()) {
        added.floats = arrays_.add_view(block.floats, kVertexTarget, kPositionStride);
      }
      if (block.sparse_values.is_empty()) continue;
      added.sparse_values = arrays_.add_view(block.sparse_values);
      added.sparse_indices = arrays_.add_view(block.sparse_indices);
    }
  }

  // Adds the accessor of a primitive's attribute in the base. `a`: index of the attribute.
  int add_base(const GlbMesh& mesh, std::size_t p, std::size_t a) {
    const GlbPrimitive& primitive = mesh.primitives[p];
    const GlbMorphedAttribute& attribute = mesh.attributes[a];
    JsonWriter& accessor = begin_vectors(primitive.vertices.vertex_count,
                                         attribute.name == kTangentAttribute ? "VEC4" : "VEC3");
    if (layout_.options.meshopt) {
      accessor.key("bufferView")
          .value(arrays_.add_compressed_view(attribute.bases[part_].streams[p],
                                             primitive.vertices.vertex_count,
                                             kQuantizedVertexBytes));
    } else {
      accessor.key("bufferView").value(views_[a].base).key("byteOffset");
      accessor.value(std::uint64_t{primitive.vertices.first_vertex} *
                     static_cast<std::uint64_t>(base_stride(attribute)));
    }
    if (a == 0) arrays_.write_bounds(primitive.bounds[part_]);
    return arrays_.end_accessor();
  }

  void write_attributes(const GlbMesh& mesh, std::size_t p) {
    const GlbPrimitive& primitive = mesh.primitives[p];
    json_.key("attributes").begin_line_object();
    for (std::size_t a = 0; a < mesh.attributes.size(); ++a) {
      if (!mesh.has_attribute(primitive, mesh.attributes[a])) continue;
      json_.key(mesh.attributes[a].name).value(add_base(mesh, p, a));
    }
    std::vector<int>& added = static_[p].attributes;
    for (std::size_t a = 0; a < primitive.attributes.size(); ++a) {
      const VertexAttribute& attribute = primitive.materials->attributes[a];
      if (added.size() == a) {
        added.push_back(arrays_.add_accessor(
            arrays_.add_view(primitive.attributes[a], kVertexTarget), kComponentFloat,
            primitive.vertices.vertex_count, "VEC" + std::to_string(attribute.width)));
      }
      json_.key(attribute.name).value(added[a]);
    }
    json_.end_object();
  }

  int indices_accessor(const GlbPrimitive& primitive, std::size_t p) {
    int& indices = static_[p].indices;
    if (indices < 0) {
      indices = arrays_.add_accessor(
          arrays_.add_view(primitive.indices, kIndexTarget), primitive.index_type,
          static_cast<std::int64_t>(primitive.materials->indices.size()), "SCALAR");
    }
    return indices;
  }

  void write_primitive(const GlbMesh& mesh, std::size_t p) {
    const GlbPrimitive& primitive = mesh.primitives[p];
    const PrimitiveMaterials* materials = primitive.materials;
    json_.begin_object();
    write_attributes(mesh, p);
    if (!primitive.indices.is_empty()) {
      json_.key("indices").value(indices_accessor(primitive, p));
    }
    if (materials != nullptr && materials->material >= 0) {
      json_.key("material").value(layout_.materials.material_numbers.at(materials->material));
    }
    if (materials != nullptr && materials->mode != kTriangles) {
      json_.key("mode").value(materials->mode);
    }
    write_targets(mesh, p);
    json_.end_object();
  }

  // All zero targets of one attribute share an accessor.
  void write_targets(const GlbMesh& mesh, std::size_t p) {
    if (target_count() == 0) return;
    json_.key("targets").begin_line_array();
    std::vector<int> zero_accessors(mesh.attributes.size(), -1);
    for (std::size_t f = span().first + 1; f < span().end; ++f) {
      json_.begin_line_object();
      for (std::size_t a = 0; a < mesh.attributes.size(); ++a) {
        const GlbMorphedAttribute& attribute = mesh.attributes[a];
        if (!mesh.has_attribute(mesh.primitives[p], attribute)) continue;
        const GlbTarget& target = attribute.targets[f * mesh.primitives.size() + p];
        const bool is_zero = target.kind == GlbTarget::Kind::kZero;
        int accessor = zero_accessors[a];
        if (!is_zero || accessor < 0) {
          accessor = add_target(mesh.primitives[p], target,
                                views_[a].blocks[layout_.timeline.block_of(f)], a == 0);
        }
        if (is_zero) zero_accessors[a] = accessor;
        json_.key(attribute.name).value(accessor);
      }
      json_.end_object();
    }
    json_.end_array();
  }

  // `has_bounds`: glTF requires the bounds of positions.
  int add_target(const GlbPrimitive& primitive, const GlbTarget& target, const BlockViews& views,
                 bool has_bounds) {
    const std::int64_t vertices = primitive.vertices.vertex_count;
    const bool is_zero = target.kind == GlbTarget::Kind::kZero;
    const bool is_float = target.kind == GlbTarget::Kind::kFloat;
    JsonWriter& accessor = is_float ? arrays_.begin_accessor(kComponentFloat, vertices, "VEC3")
                                    : begin_vectors(vertices);
    if (!target.stream.is_empty()) {
      const std::size_t bytes = is_float ? kFloatVertexBytes : kQuantizedVertexBytes;
      accessor.key("bufferView")
          .value(
              arrays_.add_compressed_view(target.stream, primitive.vertices.vertex_count, bytes));
    } else if (target.kind == GlbTarget::Kind::kDense) {
      accessor.key("bufferView").value(views.dense).key("byteOffset").value(target.values_offset);
    } else if (is_float) {
      accessor.key("bufferView").value(views.floats).key("byteOffset").value(target.values_offset);
    }
    if (has_bounds) arrays_.write_bounds(is_zero ? Box{{0, 0, 0}, {0, 0, 0}} : target.bounds);
    if (target.kind == GlbTarget::Kind::kSparse) {
      const bool is_short = glb_index_bytes(primitive.vertices.vertex_count) == 2;
      arrays_.write_sparse({target.displaced, views.sparse_indices,
                            is_short ? kComponentUint16 : kComponentUint32, target.indices_offset,
                            views.sparse_values, target.values_offset});
    } else if (is_zero) {
      write_zero_values();
    }
    return arrays_.end_accessor();
  }

  // A sparse accessor must list at least one element: vertex 0, with a zero displacement.
  void write_zero_values() {
    if (zero_values_ < 0) {
      zero_values_ = arrays_.add_view({layout_.zeros.offset, kFloatVertexBytes});
      zero_index_ = arrays_.add_view({layout_.zeros.offset + kFloatVertexBytes,  //
                                      sizeof(std::uint32_t)});
    }
    arrays_.write_sparse({1, zero_index_, kComponentUint32, 0, zero_values_, 0});
  }

  const GlbLayout& layout_;
  AccessorArrays& arrays_;
  JsonWriter& json_;
  // Of the mesh that is being written.
  std::size_t part_ = 0;
  std::vector<AttributeViews> views_;    // [attribute]
  std::vector<StaticAccessors> static_;  // [primitive]
  int zero_values_ = -1, zero_index_ = -1;
};

// An element of the array `animations`. All meshes share its samplers, because they have the same
// frames:
//
//   of each part that shows the clip    its weights, unless it does not have targets
//   in a file of several parts          the scales of the node of each of these parts; a scale of 0
//                                       for the nodes of all other parts
class AnimationJson {
 public:
  // All three arguments must outlive the object.
  AnimationJson(const GlbLayout& layout, AccessorArrays& arrays, JsonWriter& json)
      : layout_(layout), arrays_(arrays), json_(json) {}

  void write(std::size_t c) {
    const GlbClip& clip = layout_.clips[c];
    times_view_ = arrays_.add_view(clip.times);
    for (const std::size_t part : clip.parts) add_weights(c, part);
    if (layout_.timeline.parts.size() > 1) add_scales(clip);
    json_.begin_object();
    if (!clip.id.empty()) json_.key("name").value(clip.id);
    json_.key("samplers").begin_array();
    for (const Sampler& sampler : samplers_) {
      json_.begin_line_object()
          .key("input")
          .value(sampler.input)
          .key("output")
          .value(sampler.output);
      json_.key("interpolation").value(sampler.is_step ? "STEP" : "LINEAR").end_object();
    }
    json_.end_array().key("channels").begin_array();
    for (std::size_t m = 0; m < layout_.meshes.size(); ++m) write_channels(m);
    json_.end_array().end_object();
  }

 private:
  struct Sampler {
    int input, output;
    bool is_step;
  };
  // A channel of the node of a part.
  struct Channel {
    std::size_t part, sampler;
    const char* path;
  };

  // The accessor of some times; the bounds are required.
  int add_times(int view, std::uint64_t offset, std::int64_t count, double first_s, double last_s) {
    const std::array<float, 1> first{static_cast<float>(first_s)}, last{static_cast<float>(last_s)};
    JsonWriter& times = arrays_.begin_accessor(kComponentFloat, count, "SCALAR");
    times.key("bufferView").value(view);
    if (offset != 0) times.key("byteOffset").value(offset);
    times.key("min").numbers(first).key("max").numbers(last);
    return arrays_.end_accessor();
  }

  void add_weights(std::size_t c, std::size_t part) {
    const GlbTimeline& timeline = layout_.timeline;
    const GlbClip& clip = layout_.clips[c];
    const auto targets = static_cast<std::int64_t>(timeline.target_count(part));
    if (targets == 0) return;
    const GlbFrameSpan shown = timeline.shown(part, c);
    const auto count = static_cast<std::int64_t>(shown.count());
    const auto first = static_cast<std::int64_t>(shown.first - timeline.clips[c].first);
    const int input =
        add_times(times_view_, static_cast<std::uint64_t>(first) * sizeof(float), count,
                  clip.frames.time_s(first), clip.frames.time_s(first + count - 1));
    const GlbClip::Weights& weights = clip.weights[part];
    const auto listed = static_cast<std::int64_t>(weights.count);
    const int indices = arrays_.add_view(weights.indices);
    const int values = arrays_.add_view(weights.values);
    arrays_.begin_accessor(kComponentFloat, count * targets, "SCALAR");
    arrays_.write_sparse({listed, indices, kComponentUint32, 0, values, 0});
    channels_.push_back({part, samplers_.size(), "weights"});
    samplers_.push_back({input, arrays_.end_accessor(), layout_.options.step});
  }

  void add_scales(const GlbClip& clip) {
    const std::size_t count = clip.parts.size();
    const double first_s = clip.frames.time_s(0);
    const int starts_view = arrays_.add_view(clip.part_times);
    const int scales_view = arrays_.add_view(clip.part_scales);
    const int starts =
        add_times(starts_view, 0, static_cast<std::int64_t>(count), first_s, last_start_s(clip));
    for (std::size_t i = 0; i < count; ++i) {
      channels_.push_back({clip.parts[i], samplers_.size(), "scale"});
      samplers_.push_back({starts, add_scale_values(scales_view, i * count, count), true});
    }
    if (count == layout_.timeline.parts.size()) return;
    const int zeros_view = arrays_.add_view({layout_.zeros.offset, kFloatVertexBytes});
    for (std::size_t part = 0; part < layout_.timeline.parts.size(); ++part) {
      const bool is_shown =
          std::find(clip.parts.begin(), clip.parts.end(), part) != clip.parts.end();
      if (!is_shown) channels_.push_back({part, samplers_.size(), "scale"});
    }
    samplers_.push_back(
        {add_times(starts_view, 0, 1, first_s, first_s), add_scale_values(zeros_view, 0, 1), true});
  }

  // The accessor of `count` scales of a view, from `first` on.
  int add_scale_values(int view, std::size_t first, std::size_t count) {
    JsonWriter& scales =
        arrays_.begin_accessor(kComponentFloat, static_cast<std::int64_t>(count), "VEC3");
    scales.key("bufferView").value(view);
    if (first != 0) scales.key("byteOffset").value(std::uint64_t{first} * kFloatVertexBytes);
    return arrays_.end_accessor();
  }

  // The time from which the last part shows the clip.
  double last_start_s(const GlbClip& clip) const {
    const GlbTimeline& timeline = layout_.timeline;
    const auto c = static_cast<std::size_t>(&clip - layout_.clips.data());
    const std::size_t frame = timeline.shown(clip.parts.back(), c).first - timeline.clips[c].first;
    return clip.frames.time_s(static_cast<std::int64_t>(frame));
  }

  void write_channels(std::size_t mesh) {
    for (const Channel& channel : channels_) {
      const std::uint64_t node = mesh * layout_.timeline.parts.size() + channel.part;
      json_.begin_line_object().key("sampler").value(std::uint64_t{channel.sampler});
      json_.key("target").begin_line_object();
      json_.key("node").value(node).key("path").value(channel.path);
      json_.end_object().end_object();
    }
  }

  const GlbLayout& layout_;
  AccessorArrays& arrays_;
  JsonWriter& json_;
  int times_view_ = -1;
  std::vector<Sampler> samplers_;
  std::vector<Channel> channels_;
};

class DocumentJson {
 public:
  explicit DocumentJson(const GlbLayout& layout) : layout_(layout) {}

  std::string write() {
    json_.begin_object();
    write_asset();
    if (!layout_.materials.extensions_used.empty()) {
      json_.key("extensionsUsed").strings(layout_.materials.extensions_used);
    }
    if (!layout_.materials.extensions_required.empty()) {
      json_.key("extensionsRequired").strings(layout_.materials.extensions_required);
    }
    write_scene();
    write_raw_array("materials", layout_.materials.materials);
    write_raw_array("textures", layout_.materials.textures);
    write_raw_array("samplers", layout_.materials.samplers);
    write_images();
    json_.key("meshes").begin_array();
    for (const GlbMesh& mesh : layout_.meshes) meshes_.write(mesh);
    json_.end_array();
    if (layout_.is_animated()) write_animations();
    arrays_.write(json_);
    write_buffers();
    json_.end_object();
    return json_.take();
  }

 private:
  const CacheHeader& header() const { return layout_.meshes.front().header; }
  std::size_t part_count() const { return layout_.timeline.parts.size(); }

  void write_asset() {
    json_.key("asset").begin_object();
    json_.key("version").value("2.0");
    json_.key("generator").value("skinbake " SKINBAKE_VERSION);
    if (!layout_.copyright.empty()) json_.key("copyright").value(layout_.copyright);
    json_.key("extras").begin_object().key("skinbake").begin_object();
    json_.key("method").value(header().method);
    json_.key("modifiers").strings(header().modifiers);
    write_clips();
    json_.key("space").value(header().space == Space::kScene ? "scene" : "mesh");
    json_.key("meshes").begin_array();
    for (const GlbMesh& mesh : layout_.meshes) {
      const Rig& rig = *mesh.header.rig;
      json_.begin_line_object().key("id").value(rig.id).key("node").value(rig.node).end_object();
    }
    json_.end_array();
    json_.key("inputs").begin_array();
    for (const InputFile& input : header().inputs) {
      json_.begin_line_object().key("role").value(input.role).key("path").value(input.path);
      json_.key("bytes").value(input.bytes).key("xxh128").value(input.xxh128).end_object();
    }
    json_.end_array().end_object().end_object().end_object();
  }

  void write_scene() {
    json_.key("scene").value(0);
    json_.key("scenes").begin_array().begin_line_object().key("nodes").begin_line_array();
    for (std::size_t i = 0; i < node_count(); ++i) json_.value(std::uint64_t{i});
    json_.end_array().end_object().end_array();
    json_.key("nodes").begin_array();
    for (std::size_t i = 0; i < node_count(); ++i) write_node(i);
    json_.end_array();
  }

  // Nodes, and their meshes, are [mesh][part].
  std::size_t node_count() const { return layout_.meshes.size() * part_count(); }

  // Without an animation, only the first part is visible.
  void write_node(std::size_t i) {
    const GlbMesh& mesh = layout_.meshes[i / part_count()];
    const std::size_t part = i % part_count();
    const Rig& rig = *mesh.header.rig;
    const std::string& name = rig.skeleton->nodes[static_cast<std::size_t>(rig.node)].name;
    json_.begin_line_object();
    if (!name.empty()) json_.key("name").value(part_name(name, part));
    json_.key("mesh").value(std::uint64_t{i});
    if (layout_.options.is_quantized()) write_grid(mesh.grid);
    if (part > 0) json_.key("scale").numbers(std::array<float, 3>{});
    json_.end_object();
  }

  void write_grid(const GlbGrid& grid) {
    const std::array<float, 3> scale{grid.scale, grid.scale, grid.scale};
    json_.key("translation").numbers(grid.centre).key("scale").numbers(scale);
  }

  void write_raw_array(const char* key, const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    json_.key(key).begin_array();
    for (const std::string& text : texts) json_.raw(text);
    json_.end_array();
  }

  void write_images() {
    if (layout_.images.empty()) return;
    json_.key("images").begin_array();
    for (std::size_t i = 0; i < layout_.images.size(); ++i) {
      const ImageFile& image = *layout_.materials.images[i];
      json_.begin_line_object();
      if (!image.name.empty()) json_.key("name").value(image.name);
      json_.key("mimeType").value(image.mime_type);
      json_.key("bufferView").value(arrays_.add_view(layout_.images[i])).end_object();
    }
    json_.end_array();
  }

  // The frames of all clips, and if there are several the list of clips.
  void write_clips() {
    const bool is_one = layout_.clips.size() == 1;
    const GlbClip& clip = layout_.clips.front();
    json_.key("clip");
    is_one && !clip.id.empty() ? json_.value(clip.id) : json_.null();
    json_.key("fps").value(clip.frames.fps);
    FrameRange frames = clip.frames;
    if (!is_one) frames = {clip.frames.fps, 0, 1, std::int64_t(layout_.timeline.frame_count())};
    write_frames(frames);
    if (layout_.options.max_targets != 0) json_.key("split").value(layout_.options.max_targets);
    if (is_one) return;
    json_.key("clips").begin_array();
    for (const GlbClip& each : layout_.clips) {
      json_.begin_line_object().key("id").value(each.id);
      write_frames(each.frames);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_frames(const FrameRange& frames) {
    json_.key("first_frame").value(frames.first_frame);
    json_.key("frame_step").value(frames.frame_step);
    json_.key("frame_count").value(frames.frame_count);
  }

  void write_animations() {
    json_.key("animations").begin_array();
    for (std::size_t c = 0; c < layout_.clips.size(); ++c)
      AnimationJson(layout_, arrays_, json_).write(c);
    json_.end_array();
  }

  // With meshopt=1, the second buffer is the fallback buffer. It does not have data: only the
  // ranges of decoded elements refer to it.
  void write_buffers() {
    json_.key("buffers").begin_array().begin_line_object();
    json_.key("byteLength").value(layout_.bytes).end_object();
    if (arrays_.decoded_bytes() > 0) {
      json_.begin_line_object().key("byteLength").value(arrays_.decoded_bytes());
      json_.key("extensions").begin_line_object().key("EXT_meshopt_compression");
      json_.begin_line_object().key("fallback").value(true);
      json_.end_object().end_object().end_object();
    }
    json_.end_array();
  }

  const GlbLayout& layout_;
  JsonWriter json_;
  AccessorArrays arrays_;
  MeshJson meshes_{layout_, arrays_, json_};
};

}  // namespace

std::string glb_json(const GlbLayout& layout) {
  return DocumentJson(layout).write();
}

}  // namespace skinbake
