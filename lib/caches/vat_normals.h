// The texture of normals beside a vertex animation texture: the same texels, each (n + 1) / 2.

#pragma once

#include <memory>
#include <string>

#include "caches/vat_texture.h"
#include "skinbake/normals.h"

namespace skinbake {

class JsonWriter;

class VatNormals {
 public:
  // `path`: of the texture of positions.
  VatNormals(const std::string& path, const VatLayout& layout, const VatOptions& options,
             NormalKind kind, const std::atomic<bool>* cancelled = nullptr);

  NormalKind kind() const { return kind_; }
  VatTexture& texture() { return texture_; }
  const VatTexture& texture() const { return texture_; }

  // What a NormalReader is given of a tile; the rest are calls of the texture.
  void put(VertexRange vertices, const float* normals, BlockState& state) const;

  void describe(JsonWriter& json) const;  // it has no sidecar of its own

  double bound() const;  // as NormalDifference has it

 private:
  NormalKind kind_;
  VatTexture texture_;
};

}  // namespace skinbake
