// The meshes of a baked GLB in its JSON: primitives, their morph targets, and what those show.

#pragma once

#include <vector>

#include "caches/glb_parts.h"

namespace skinbake {

class GlbMeshJson {
 public:
  // All three outlive this.
  GlbMeshJson(const GlbLayout& layout, GlbParts& parts, JsonWriter& json)
      : layout_(layout), parts_(parts), json_(json) {}

  void write(const GlbMesh& mesh);

 private:
  struct BlockViews {
    int dense = -1, values = -1, indices = -1, wide = -1;
  };

  JsonWriter& open_vectors(std::int64_t vertices, const char* type = "VEC3");
  int dense_bytes() const;                        // of one vertex
  int base_bytes(const GlbStream& stream) const;  // likewise, in frame 0

  // Views of one attribute.
  struct StreamViews {
    int base = -1;  // -1: each primitive has its own
    std::vector<BlockViews> blocks;
  };

  StreamViews views_of(const GlbStream& stream);
  void write_primitive(const GlbMesh& mesh, std::size_t p);
  int add_base(const GlbMesh& mesh, std::size_t p, std::size_t s);
  void write_targets(const GlbMesh& mesh, std::size_t p);
  int add_target(const GlbPrimitive& primitive, const GlbTarget& target, const BlockViews& views,
                 bool has_bounds);

  const GlbLayout& layout_;
  GlbParts& parts_;
  JsonWriter& json_;
  std::vector<StreamViews> views_;  // of the mesh that is being written
  int zero_values_ = -1, zero_index_ = -1;
};

}  // namespace skinbake
