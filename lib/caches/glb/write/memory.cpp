#include "caches/glb/write/memory.h"

#include <algorithm>
#include <cstdint>

#include "caches/glb/options.h"
#include "caches/glb/write/layout.h"
#include "caches/mesh_cache.h"
#include "skinbake/memory.h"

namespace skinbake {

namespace {

// The longest texts of elements of the JSON, with their names, commas and indentation.
constexpr std::uint64_t kFileText = 4096;  // of what each file has once, or once for each input
constexpr std::uint64_t kViewText = 120, kAccessorText = 256, kStreamText = 256;
constexpr std::uint64_t kSparseText = 256;   // the accessor of a sparse target, without its bounds
constexpr std::uint64_t kDenseText = 160;    // the accessor of a compressed target
constexpr std::uint64_t kBoundsText = 116;   // of an accessor
constexpr std::uint64_t kMemberText = 36;    // {"POSITION": 1234567}
constexpr std::uint64_t kZeroesText = 1024;  // the reserve for zero targets of a primitive's part
constexpr std::uint64_t kFrameText = 48;     // a weight, and the name of a target
constexpr std::uint64_t kPartText = 512;     // a node and a mesh, without their names
constexpr std::uint64_t kPrimitiveText = 256;
constexpr std::uint64_t kClipText = 768, kShownText = 1024, kChannelText = 120;
// A character of a name takes six if it is escaped.
constexpr std::uint64_t kEscaped = 6;
// The JSON is put together from texts that grow.
constexpr std::uint64_t kTextCopies = 3;
// A parsed JSON takes this many times its text.
constexpr std::uint64_t kParsed = 6;
// The accessor of a target as the reader keeps it, in a list that grows.
constexpr std::uint64_t kStoredTarget = 2 * 64;

std::uint64_t name_text(const std::string& name) {
  return kEscaped * name.size();
}

// The counts of one mesh.
struct MeshCounts {
  std::uint64_t vertices = 0, primitives = 0;
  std::uint64_t attributes = 1;         // positions, normals, tangents
  std::uint64_t static_attributes = 0;  // of all primitives
  std::uint64_t indices = 0;            // of the primitive that has the most

  MeshCounts(const CacheHeader& header, const GlbOptions& options)
      : vertices(header.rig->mesh->vertex_count()),
        primitives(header.rig->mesh->primitives.size()) {
    if (options.normals && header.normals)
      attributes += options.tangents && header.tangents ? 2 : 1;
    if (!header.materials) return;
    for (const PrimitiveMaterials& p : header.materials->meshes.at(header.rig->node)->primitives) {
      static_attributes += p.attributes.size();
      indices = std::max<std::uint64_t>(indices, p.indices.size());
    }
  }
};

class GlbMemory {
 public:
  GlbMemory(const std::string& path, std::span<const CacheHeader> headers)
      : headers_(headers),
        clips_(clips_of_first_mesh(headers)),
        options_(parse_glb_options(headers.front().options)),
        timeline_(plan_glb_timeline(path, headers, options_)),
        parts_(timeline_.parts.size()),
        frames_(timeline_.frame_count()),
        blocks_(timeline_.block_count()) {}

  CacheMemory total() {
    text_ = kFileText;
    add_file();
    for (std::size_t c = 0; c < clips_.size(); ++c) add_clip(c);
    for (std::size_t h = 0; h < headers_.size(); h += clips_.size()) add_mesh(headers_[h]);
    // The longest JSON is written from a copy of the layout when the file is opened.
    const std::uint64_t written = layout_ + kTextCopies * text_;
    return {layout_, written + baked_, (1 + kParsed) * text_ + read_back_};
  }

 private:
  void add_file() {
    const CacheHeader& header = headers_.front();
    text_ += name_text(header.method);
    for (const std::string& modifier : header.modifiers) text_ += name_text(modifier);
    for (const InputFile& input : header.inputs) text_ += kViewText + name_text(input.path);
    if (!header.materials) return;
    const AssetMaterials& materials = *header.materials;
    text_ += name_text(materials.copyright);
    for (const ImageFile& image : materials.images) text_ += kViewText + name_text(image.name);
    for (const auto* elements : {&materials.materials, &materials.textures}) {
      for (const JsonTemplate& element : *elements) {
        for (const std::string& part : element.texts) text_ += kMemberText + part.size();
      }
    }
    for (const std::string& sampler : materials.samplers) text_ += kMemberText + sampler.size();
  }

  void add_clip(std::size_t c) {
    const std::uint64_t meshes = headers_.size() / clips_.size();
    const std::uint64_t shown = timeline_.parts_of(c).count();
    const std::uint64_t name = name_text(clips_[c].clip);
    layout_ += sizeof(GlbClip) + clips_[c].clip.size() + shown * sizeof(GlbClip::Weights);
    text_ += kClipText + 2 * name + shown * kShownText;
    if (parts_ > 1) text_ += meshes * (parts_ + shown) * kChannelText;
    // Its name is part of the names of its targets.
    text_ += meshes * timeline_.clips[c].count() * (kFrameText + name);
  }

  void add_mesh(const CacheHeader& header) {
    const MeshCounts mesh(header, options_);
    layout_ += sizeof(GlbMesh) + mesh.primitives * (sizeof(GlbPrimitive) + parts_ * sizeof(Box)) +
               mesh.static_attributes * sizeof(GlbStaticAttribute) +
               mesh.attributes * layout_of_attribute(mesh);
    const Skeleton& skeleton = *header.rig->skeleton;
    const std::string& node = skeleton.nodes[static_cast<std::size_t>(header.rig->node)].name;
    text_ += kPartText + name_text(header.rig->id);
    text_ += parts_ * (kPartText + name_text(node) + name_text(header.rig->mesh->name));
    text_ += mesh.primitives * (kViewText + kAccessorText + parts_ * kPrimitiveText);
    text_ += mesh.static_attributes * (kViewText + kAccessorText + parts_ * kMemberText);
    text_ += mesh.attributes * text_of_attribute(mesh);
    text_ += frames_ * mesh.primitives * kBoundsText;
    const std::uint64_t vertex_bytes =
        options_.is_quantized() ? quantized_bytes(mesh) : float_bytes(mesh);
    baked_ = std::max({baked_, mesh.vertices * vertex_bytes, mesh.indices * sizeof(std::uint16_t)});
    read_back_ = std::max(read_back_, frames_ * mesh.primitives * mesh.attributes * kStoredTarget +
                                          parts_ * mesh.vertices * stored_base_bytes(mesh));
  }

  std::uint64_t layout_of_attribute(const MeshCounts& mesh) const {
    return sizeof(GlbMorphedAttribute) +
           parts_ * (sizeof(GlbBase) + mesh.primitives * sizeof(BinRange)) +
           blocks_ * sizeof(GlbBlock) + frames_ * mesh.primitives * sizeof(GlbTarget);
  }

  std::uint64_t text_of_attribute(const MeshCounts& mesh) const {
    constexpr std::uint64_t kViewsOfBlock = 4;
    const std::uint64_t target =
        kMemberText + (options_.meshopt ? kDenseText + kStreamText : kSparseText);
    const std::uint64_t base = kAccessorText + kBoundsText + kMemberText + kZeroesText +
                               (options_.meshopt ? kStreamText : 0);
    return blocks_ * kViewsOfBlock * kViewText + parts_ * (kViewText + mesh.primitives * base) +
           frames_ * mesh.primitives * target;
  }

  // The base of the part that is being written, and that of tangents with w. A block also has the
  // base of its own part.
  static std::uint64_t float_bytes(const MeshCounts& mesh) {
    constexpr std::uint64_t kTangent = 5 * sizeof(float);  // the signs of all, then x, y, z, w
    return mesh.attributes * kFloatVertexBytes + (mesh.attributes > 2 ? 2 * kTangent : 0);
  }

  // The range of a vertex while its grid is found, or its quantized bases.
  static std::uint64_t quantized_bytes(const MeshCounts& mesh) {
    constexpr std::uint64_t kRange = 3 * kFloatVertexBytes;
    constexpr std::uint64_t kSign = 2 * sizeof(float);
    const std::uint64_t bases = mesh.attributes * kFloatVertexBytes + kSign;
    return std::max(kRange, 2 * kFloatVertexBytes + kQuantizedVertexBytes) + bases;
  }

  static std::uint64_t stored_base_bytes(const MeshCounts& mesh) {
    return mesh.attributes * kFloatVertexBytes + sizeof(float);
  }

  std::span<const CacheHeader> headers_, clips_;
  GlbOptions options_;
  GlbTimeline timeline_;
  std::uint64_t parts_, frames_, blocks_;
  std::uint64_t layout_ = 0, text_ = 0;
  std::uint64_t baked_ = 0, read_back_ = 0;  // of the largest mesh
};

}  // namespace

CacheMemory glb_memory(const std::string& path, std::span<const CacheHeader> headers) {
  return GlbMemory(path, headers).total();
}

}  // namespace skinbake
