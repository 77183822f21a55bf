// What the writers of one mesh of a baked GLB have in common.

#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "caches/glb_deltas.h"
#include "caches/glb_file.h"
#include "caches/shared_file_writer.h"

namespace skinbake {

class GlbMeshWriter : public SharedFileWriter<GlbFile>, public NormalReader {
 public:
  GlbMeshWriter(std::shared_ptr<GlbFile> file, std::size_t index)
      : SharedFileWriter(std::move(file)), mesh_(file_->mesh(index)) {}

  std::optional<NormalKind> wanted_normals() const override {
    return mesh_.has_normals() ? mesh_.header.normals : std::nullopt;
  }
  bool wants_tangents() const override { return mesh_.has_tangents(); }
  std::optional<double> tangent_bound() const override {
    return mesh_.has_tangents() ? normal_bound() : std::nullopt;
  }

 protected:
  std::size_t row_size() const {  // numbers per frame
    return std::size_t{mesh_.header.rig->mesh->vertex_count()} * 3;
  }

  GlbView append(const std::vector<GlbRun>& runs) {
    GlbView view{file_->next(), 0};
    for (const GlbRun& run : runs) {
      file_->append(run.data, run.size);
      view.bytes += run.size;
    }
    return view;
  }

  // What frame 0 of tangents has besides: [vertex] their w.
  std::vector<float> tangent_signs() const {
    const std::vector<float>& tangents = mesh_.header.rig->mesh->tangents;
    std::vector<float> signs;
    for (std::size_t i = 3; i < tangents.size(); i += 4) signs.push_back(tangents[i]);
    return signs;
  }

  GlbMesh& mesh_;
};

}  // namespace skinbake
