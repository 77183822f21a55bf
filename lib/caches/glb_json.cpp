// The JSON of a baked GLB.

#include <algorithm>

#include "caches/glb_layout.h"
#include "caches/glb_mesh_json.h"
#include "caches/glb_parts.h"
#include "json/json_writer.h"

namespace skinbake {

namespace {

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
    for (const GlbMesh& mesh : layout_.meshes) meshes_.write(mesh);
    json_.end_array();
    if (frames().frame_count > 1) write_animation();
    parts_.write(json_);
    write_buffers();
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
      json_.key("mesh").value(std::uint64_t{i});
      if (layout_.options.is_quantised()) write_lattice(layout_.meshes[i].lattice);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_lattice(const GlbLattice& lattice) {
    const std::array<float, 3> scale{lattice.scale, lattice.scale, lattice.scale};
    json_.key("translation").numbers(lattice.centre).key("scale").numbers(scale);
  }

  // The second one is for readers that decompress into it; there is no such file.
  void write_buffers() {
    json_.key("buffers").begin_array().begin_line_object();
    json_.key("byteLength").value(layout_.bytes).end_object();
    if (parts_.unpacked_bytes() > 0) {
      json_.begin_line_object().key("byteLength").value(parts_.unpacked_bytes());
      json_.key("extensions").begin_line_object().key("EXT_meshopt_compression");
      json_.begin_line_object().key("fallback").value(true);
      json_.end_object().end_object().end_object();
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

  // One sampler for all meshes: their frames are the same.
  void write_animation() {
    const std::int64_t count = frames().frame_count;
    const int times = parts_.view(layout_.times);
    JsonWriter& input_accessor = parts_.open(kFloat, count, "SCALAR");
    const std::array<float, 1> first{static_cast<float>(layout_.first_time_s)},
        last{static_cast<float>(layout_.last_time_s)};
    input_accessor.key("bufferView")
        .value(times)
        .key("min")
        .numbers(first)
        .key("max")
        .numbers(last);
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
    json_.key("interpolation")
        .value(layout_.options.step ? "STEP" : "LINEAR")
        .end_object()
        .end_array();
    json_.key("channels").begin_array();
    for (std::size_t i = 0; i < layout_.meshes.size(); ++i) {
      json_.begin_line_object().key("sampler").value(0).key("target").begin_line_object();
      json_.key("node").value(std::uint64_t{i}).key("path").value("weights");
      json_.end_object().end_object();
    }
    json_.end_array().end_object().end_array();
  }

  const GlbLayout& layout_;
  JsonWriter json_;
  GlbParts parts_;
  GlbMeshJson meshes_{layout_, parts_, json_};
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
  constexpr std::uint64_t kDigits = 16;
  layout.bytes = kLongestCount;
  std::uint64_t bytes = kStillBytes;
  for (GlbMesh& mesh : layout.meshes) {
    mesh.lattice.centre.fill(kLongest);
    mesh.lattice.scale = kLongest;
    for (GlbPrimitive& primitive : mesh.primitives) primitive.bounds = kLongestBounds;
    GlbTarget longest{
        GlbTarget::Kind::kSparse, kLongestCount, kLongestCount, kLongestCount, kLongestBounds, {}};
    if (layout.options.meshopt) {
      longest.kind = GlbTarget::Kind::kDense;
      longest.packed = kLongestView;
    }
    for (GlbStream& stream : mesh.streams) {
      stream.base = kLongestView;
      std::fill(stream.packed.begin(), stream.packed.end(), kLongestView);
      GlbBlock block{kLongestView, kLongestView, kLongestView, {}};
      if (layout.options.is_quantised() && stream.attribute != kPositions)
        block.wide = kLongestView;
      std::fill(stream.blocks.begin(), stream.blocks.end(), block);
      std::fill(stream.targets.begin(), stream.targets.end(), longest);
      bytes += kStillBytes * mesh.primitives.size();
      // Wide ones make numbers of other views longer by a digit.
      if (layout.options.meshopt && mesh.has_normals()) bytes += kDigits * stream.targets.size();
    }
  }
  return bytes + glb_json(layout).size();
}

}  // namespace skinbake
