#include "gltf/user_file/node_names.h"

#include <charconv>
#include <optional>
#include <string_view>

namespace skinbake::gltf {

namespace {

// The index in "#7"; nothing if the name does not have this form, or if it exceeds every index.
std::optional<NodeIndex> index_in(const std::string& name) {
  const std::string_view digits = std::string_view(name).substr(name.starts_with('#') ? 1 : 0);
  if (digits.size() == name.size() || digits.empty()) return std::nullopt;
  if (digits.size() > 1 && digits[0] == '0') return std::nullopt;
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  NodeIndex index = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  return read.ec == std::errc{} ? std::optional(index) : std::nullopt;
}

}  // namespace

NodesByName nodes_by_name(const std::vector<Node>& nodes) {
  NodesByName by_name;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (!nodes[n].name.empty()) by_name[nodes[n].name].push_back(static_cast<NodeIndex>(n));
  }
  return by_name;
}

Nodes named_nodes(const Skeleton& skeleton, const NodesByName& by_name, const std::string& name) {
  if (const auto found = by_name.find(name); found != by_name.end()) return found->second;
  const std::optional<NodeIndex> index = index_in(name);
  if (!index || static_cast<std::size_t>(*index) >= skeleton.nodes.size()) return {};
  return {*index};
}

}  // namespace skinbake::gltf
