#include "caches/glb/write/json/document.h"

#include <array>
#include <vector>

#include "caches/glb/write/json/accessor_arrays.h"
#include "caches/glb/write/json/animations.h"
#include "caches/glb/write/json/meshes.h"
#include "caches/mesh_cache.h"
#include "json/json_writer.h"

namespace skinbake {

namespace {

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
    write_meshes(layout_, arrays_, json_);
    if (layout_.is_animated()) write_animations(layout_, arrays_, json_);
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
    for (const InputFile& input : with_file_names(header().inputs)) {
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
      const ImageFile& image = layout_.materials.images[i];
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
};

}  // namespace

std::string glb_json(const GlbLayout& layout) {
  return DocumentJson(layout).write();
}

}  // namespace skinbake
