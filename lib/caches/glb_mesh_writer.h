// What the writers of one mesh of a baked GLB have in common: the file belongs to all of them.

#pragma once

#include <memory>
#include <string>
#include <utility>

#include "caches/glb_deltas.h"
#include "caches/glb_file.h"

namespace skinbake {

class GlbMeshWriter : public CacheWriter {
 public:
  GlbMeshWriter(std::shared_ptr<GlbFile> file, std::size_t index)
      : file_(std::move(file)), mesh_(file_->mesh(index)), positions_(mesh_.streams.front()) {}

  void end() override { file_->end_mesh(); }
  void sync() override { file_->sync(); }
  void commit() override { file_->commit(); }
  const std::string& path() const override { return file_->path(); }
  std::uint64_t bytes() const override { return file_->bytes(); }
  std::string xxh128() const override { return file_->xxh128(); }
  std::string readable_path() const override { return file_->readable_path(); }

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

  std::shared_ptr<GlbFile> file_;
  GlbMesh& mesh_;
  GlbStream& positions_;
};

}  // namespace skinbake
