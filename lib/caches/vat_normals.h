// The texture of normals beside a vertex animation texture: the same texels, each (n + 1) / 2.

#pragma once

#include <string>

#include "caches/cache_normals.h"
#include "caches/vat_layout.h"
#include "skinbake/output_file.h"

namespace skinbake {

class JsonWriter;

class VatNormals {
 public:
  // `path`: of the texture of positions.
  VatNormals(const std::string& path, const VatLayout& layout, const VatOptions& options,
             NormalKind kind);

  NormalKind kind() const { return kind_; }
  NormalSpool& spool() { return spool_; }  // takes them
  const NormalSpool& spool() const { return spool_; }

  void write();                           // after the last frame
  void describe(JsonWriter& json) const;  // it has no sidecar of its own
  void sync() { file_.sync(); }
  void commit() { file_.commit(); }

  double bound() const { return bound_; }  // as NormalDifference has it

 private:
  VatLayout layout_;
  VatOptions options_;
  NormalKind kind_;
  NormalSpool spool_;
  OutputFile file_;
  double bound_ = 0;
};

}  // namespace skinbake
