#include "caches/glb_provenance.h"

#include <cmath>

#include "skinbake/error.h"

namespace skinbake {

namespace {

using nlohmann::json;

constexpr std::uint64_t kMostFrames = 46341;  // of the writer
constexpr const char* kWhere = "asset.extras.skinbake";
constexpr const char* kMeshes = "asset.extras.skinbake.meshes";

const json& provenance(const GlbDocument& document) {
  const json& asset = document.member(document.root(), "asset", "the file");
  return document.member(document.member(asset, "extras", "asset"), "skinbake", "asset.extras");
}

}  // namespace

FrameRange glb_frames(const GlbDocument& document) {
  const json& made = provenance(document);
  constexpr std::uint64_t kFarthest = std::uint64_t{1} << 40;
  const auto whole = [&](const char* name, std::uint64_t most) {
    return static_cast<std::int64_t>(document.number(made, name, most, kWhere));
  };
  const json& fps = document.member(made, "fps", kWhere);
  if (!fps.is_number() || !(fps.get<double>() > 0) || !std::isfinite(fps.get<double>())) {
    document.fail(kWhere, "fps is not a number above 0");
  }
  const FrameRange frames{fps.get<double>(), whole("first_frame", kFarthest),
                          whole("frame_step", kFarthest), whole("frame_count", kMostFrames)};
  if (frames.frame_step < 1 || frames.frame_count < 1) document.fail(kWhere, "has no frames");
  return frames;
}

std::vector<std::string> glb_mesh_ids(const GlbDocument& document) {
  if (!provenance(document).contains("meshes")) return {};
  std::vector<std::string> ids;
  for (const json& origin : document.array(provenance(document), "meshes", kWhere)) {
    ids.push_back(document.member(origin, "id", kMeshes).get<std::string>());
  }
  return ids;
}

std::optional<GlbMeshChoice> choose_glb_mesh(const GlbDocument& document, const std::string& wanted,
                                             const std::string& path) {
  if (wanted.empty()) return std::nullopt;
  const json& origins = document.array(provenance(document), "meshes", kWhere);
  std::string known;
  for (std::size_t i = 0; i < origins.size(); ++i) {
    const auto id = document.member(origins[i], "id", kMeshes).get<std::string>();
    const json& node = document.member(origins[i], "node", kMeshes);
    if (id == wanted || "#" + node.dump() == wanted) {
      return origins.size() > 1 ? std::optional(GlbMeshChoice{i, id}) : std::nullopt;
    }
    known += (known.empty() ? "'" : ", '") + id + "'";
  }
  throw Error(ErrorKind::kUsage, "MESH_UNKNOWN",
              "no mesh '" + wanted + "' in the cache; there are: " + known, {path, ""});
}

}  // namespace skinbake
