#include "gltf/morph_names.h"

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "gltf/document/json_member.h"
#include "gltf/document/message_text.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;
using SharedNames = std::shared_ptr<const std::vector<std::string>>;

// The names of the `count` targets of a mesh; null if it does not name each target. Empty texts are
// no names unless there is one.
SharedNames read_names(const json& mesh, std::size_t count) {
  const json& source = member(member(mesh, "extras"), "targetNames");
  if (!source.is_array() || count == 0 || source.size() != count) return nullptr;
  bool has_empty = false;
  for (const json& name : source) {
    if (!name.is_string()) return nullptr;
    const auto& text = name.get_ref<const std::string&>();
    if (text.empty() && has_empty) return nullptr;
    has_empty = has_empty || text.empty();
  }
  return std::make_shared<const std::vector<std::string>>(source.get<std::vector<std::string>>());
}

}  // namespace

void load_morph_names(Document& document, const json& gltf, const json& checked) {
  std::map<std::uint64_t, SharedNames> names_of_mesh;
  const json& nodes = member(checked, "nodes");
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const json& mesh = member(nodes[n], "mesh");
    if (!mesh.is_number_unsigned()) continue;
    const auto m = mesh.get<std::uint64_t>();
    const auto [known, is_new] = names_of_mesh.try_emplace(m);
    if (is_new) {
      const json& primitives = member(member(checked, "meshes")[m], "primitives");
      const std::size_t targets = primitives.empty() ? 0 : member(primitives[0], "targets").size();
      known->second = read_names(member(gltf, "meshes")[m], targets);
    }
    if (!known->second) continue;
    document.morph_names[static_cast<NodeIndex>(n)] = known->second;
  }
}

}  // namespace skinbake::gltf
