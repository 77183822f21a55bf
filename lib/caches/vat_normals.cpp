#include "caches/vat_normals.h"

#include <array>
#include <cmath>

#include "caches/cache_normals.h"
#include "json/json_writer.h"

namespace skinbake {

VatNormals::VatNormals(const std::string& path, const VatLayout& layout, const VatOptions& options,
                       NormalKind kind, const std::atomic<bool>* cancelled)
    : kind_(kind), texture_(vat_normals_path(path), layout, options, cancelled) {}

void VatNormals::put(VertexRange vertices, const float* normals, BlockState& state) const {
  static const VatScale kScale{nullptr, {-1, -1, -1}, {0.5, 0.5, 0.5}};
  alignas(64) std::array<float, std::size_t{kVerticesPerTile} * 3 * kFramesPerBlock> lanes;
  copy_normals(planned_normals(normals), vertices.count, lanes.data());
  texture_.put(lanes.data(), vertices, kScale, state);
}

void VatNormals::describe(JsonWriter& json) const {
  const std::string& path = texture_.path();
  json.begin_object().key("file").value(path.substr(path.rfind('/') + 1));
  json.key("bytes").value(texture_.bytes()).key("xxh128").value(texture_.xxh128()).end_object();
}

double VatNormals::bound() const {
  constexpr double kRounding = 0x1p-23;  // beyond 1, and of the float that is read
  return std::sqrt(3.0) * (2 * texture_.bound() + kRounding);
}

}  // namespace skinbake
