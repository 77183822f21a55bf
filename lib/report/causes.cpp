#include "report/causes.h"

#include <algorithm>
#include <tuple>

namespace skinbake {

namespace {

constexpr std::string_view kChannel = "the channel ";

// "27 channels differ; the first: 'hand.l' rotation differs from 0.4 s on", or all differences.
std::string sentence_of(std::span<const RigDataDifference> of_one) {
  const auto is_of_channel = [](const RigDataDifference& difference) {
    return difference.difference.starts_with(kChannel);
  };
  if (of_one.size() > 1 && std::ranges::all_of(of_one, is_of_channel)) {
    return std::to_string(of_one.size()) +
           " channels differ; the first: " + of_one.front().difference.substr(kChannel.size());
  }
  std::string text;
  for (const RigDataDifference& difference : of_one) {
    text += (text.empty() ? "" : "; ") + difference.difference;
  }
  return text;
}

}  // namespace

bool Cause::concerns(std::string_view mesh, std::string_view clip) const {
  if (kind == "clip" && clip != name) return false;
  if (kind == "mesh") return mesh == (file.empty() ? name : file + "/" + name);
  return file.empty() || mesh.starts_with(file + "/");
}

std::vector<Cause> causes_of(std::span<const RigDataDifference> data) {
  const auto key = [](const RigDataDifference& of) { return std::tie(of.file, of.kind, of.name); };
  std::vector<Cause> causes;
  for (std::size_t first = 0; first < data.size();) {
    std::size_t end = first + 1;
    while (end < data.size() && key(data[end]) == key(data[first])) ++end;
    const RigDataDifference& of = data[first];
    const std::string what = of.name.empty() ? "" : of.kind + " '" + of.name + "': ";
    causes.push_back(
        {of.file, of.kind, of.name, what + sentence_of(data.subspan(first, end - first))});
    first = end;
  }
  return causes;
}

std::string ranking_metric(std::span<const Check> checks) {
  const Check* first = nullptr;
  for (const Check& check : checks) {
    if (!check.key.starts_with("error.")) continue;
    if (first == nullptr || (first->passed && !check.passed)) first = &check;
  }
  if (first == nullptr) return "error.max_relative";
  // The vertices over a limit are counted in the pairs, which the report does not have of each.
  const bool is_number = !first->share_limit && metric_field(first->key).has_value();
  return is_number ? first->key + (first->is_relative ? "_relative" : "") : "error.max";
}

}  // namespace skinbake
