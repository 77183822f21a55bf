#include "compare/rig_data.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "clip/sampling/sample.h"
#include "compare/surface/surfaces.h"
#include "rig/joint_tree.h"

namespace skinbake {

namespace {

std::string in_quotes(const std::string& name) {
  return "'" + name + "'";
}

std::string counted_vertices(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " vertex" : " vertices");
}

// "'upperarm.l', 'hand.l' and 2 more": the names with the largest counts.
std::string most_frequent(const std::map<std::string, std::size_t>& counts) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::pair<std::string, std::size_t>> ranked(counts.begin(), counts.end());
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& x, const auto& y) { return x.second > y.second; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, ranked.size()); ++i) {
    text += (i == 0 ? "" : ", ") + in_quotes(ranked[i].first);
  }
  if (ranked.size() > kNamed) text += " and " + std::to_string(ranked.size() - kNamed) + " more";
  return text;
}

// [node] Its name, or "#<node>". No two are equal.
std::vector<std::string> names_of(const Skeleton& skeleton) {
  std::vector<std::string> names;
  for (const Node& node : skeleton.nodes) {
    names.push_back(node.name.empty() ? "#" + std::to_string(names.size()) : node.name);
  }
  return distinct_names(std::move(names));
}

std::array<double, 12> numbers_of(const Affine<double>& t) {
  return {t.x.x, t.x.y, t.x.z, t.y.x,           t.y.y,           t.y.z,
          t.z.x, t.z.y, t.z.z, t.translation.x, t.translation.y, t.translation.z};
}

bool are_equal(const std::optional<Affine<double>>& a, const std::optional<Affine<double>>& b) {
  return a.has_value() == b.has_value() && (!a || numbers_of(*a) == numbers_of(*b));
}

// ---- Skins

using NamedInfluences = std::vector<std::pair<std::string, double>>;

NamedInfluences influences_of(const Rig& rig, const std::vector<std::string>& ids, VertexIndex v) {
  NamedInfluences named;
  for (const Influence& influence : rig.influences_of(v)) {
    named.emplace_back(ids[influence.joint], influence.weight);
  }
  std::sort(named.begin(), named.end());
  return named;
}

void add_weights(const Rig& a, const Rig& b, std::vector<std::string>& found) {
  const std::vector<std::string> ids_a = distinct_joint_ids(a), ids_b = distinct_joint_ids(b);
  std::size_t vertices = 0;
  std::map<std::string, std::size_t> around;  // joints whose weights have changed
  for (VertexIndex v = 0; v < a.mesh->vertex_count(); ++v) {
    if (influences_of(a, ids_a, v) == influences_of(b, ids_b, v)) continue;
    ++vertices;
    ++around[ids_a[a.influences_of(v).front().joint]];
  }
  if (vertices == 0) return;
  found.push_back("WEIGHTS_0 differs at " + counted_vertices(vertices) + " around " +
                  most_frequent(around));
}

void add_joints(const Rig& a, const Rig& b, std::vector<std::string>& found) {
  const std::vector<std::string> ids_a = distinct_joint_ids(a), ids_b = distinct_joint_ids(b);
  std::map<std::string, const Joint*> of_b;
  for (std::size_t j = 0; j < b.joints.size(); ++j) of_b.emplace(ids_b[j], &b.joints[j]);
  std::map<std::string, std::size_t> changed, only_a, only_b;
  for (std::size_t j = 0; j < a.joints.size(); ++j) {
    const std::string& name = ids_a[j];
    const auto other = of_b.find(name);
    if (other == of_b.end()) {
      ++only_a[name];
      continue;
    }
    if (numbers_of(a.joints[j].joint_from_model) != numbers_of(other->second->joint_from_model)) {
      ++changed[name];
    }
    of_b.erase(other);
  }
  for (const auto& [name, joint] : of_b) ++only_b[name];
  if (!changed.empty()) {
    found.push_back("the inverse bind of " + most_frequent(changed) + " differs");
  }
  if (!only_a.empty()) found.push_back("the joint " + most_frequent(only_a) + " is only in A");
  if (!only_b.empty()) found.push_back("the joint " + most_frequent(only_b) + " is only in B");
}

// ---- Geometry

void add_positions(const char* what, const std::vector<float>& a, const std::vector<float>& b,
                   std::vector<std::string>& found) {
  if (a == b) return;
  if (a.size() != b.size()) {
    found.push_back(std::string(what) + " has " + counted_vertices(a.size() / 3) + " in A and " +
                    std::to_string(b.size() / 3) + " in B");
    return;
  }
  std::size_t vertices = 0;
  for (std::size_t v = 0; v < a.size(); v += 3) {
    vertices += !std::equal(a.begin() + static_cast<std::ptrdiff_t>(v),
                            a.begin() + static_cast<std::ptrdiff_t>(v + 3),
                            b.begin() + static_cast<std::ptrdiff_t>(v));
  }
  if (vertices > 0) {
    found.push_back(std::string(what) + " differs at " + counted_vertices(vertices));
  }
}

// A node that mirrors its mesh reverses the triangles of the surface.
void add_triangles(const BindSurfaces& surfaces, std::vector<std::string>& found) {
  const TriangleDifference difference =
      triangle_difference(surfaces.a.triangles, surfaces.b.triangles);
  if (!difference.any()) return;
  found.push_back("the triangles differ: " + std::to_string(difference.only_a) +
                  " are only in A, " + std::to_string(difference.only_b) + " only in B");
}

void add_morph_targets(const Mesh& a, const Mesh& b, std::vector<std::string>& found) {
  if (a.morph_targets.size() != b.morph_targets.size()) {
    found.push_back("A has " + std::to_string(a.morph_targets.size()) + " morph targets and B " +
                    std::to_string(b.morph_targets.size()));
    return;
  }
  for (std::size_t t = 0; t < a.morph_targets.size(); ++t) {
    const std::string what = "POSITION of morph target " + std::to_string(t);
    add_positions(what.c_str(), a.morph_targets[t].positions, b.morph_targets[t].positions, found);
  }
}

// ---- Channels

using Channels = std::map<std::string, const Channel*>;

Channels channels_of(const Skeleton& skeleton, const Clip* clip) {
  Channels channels;
  if (clip == nullptr) return channels;
  const std::vector<std::string> names = names_of(skeleton);
  for (const Channel& channel : clip->channels) {
    channels.emplace(
        in_quotes(names[static_cast<std::size_t>(channel.node)]) + " " + to_string(channel.path) +
            (channel.first_weight > 0 ? " " + std::to_string(channel.first_weight) : std::string()),
        &channel);
  }
  return channels;
}

// The time of the last key before which both channels are equal; none: they are equal.
std::optional<double> first_difference(const Channel& a, const Channel& b) {
  const std::vector<double>&times_a = *a.times, &times_b = *b.times;
  if (a.interpolation != b.interpolation || a.width != b.width) return times_a.front();
  const std::size_t keys = std::min(times_a.size(), times_b.size());
  const std::size_t numbers =
      static_cast<std::size_t>(a.width) * (a.interpolation == Interpolation::kCubicSpline ? 3 : 1);
  for (std::size_t k = 0; k < keys; ++k) {
    const auto begin = static_cast<std::ptrdiff_t>(k * numbers);
    const bool is_equal =
        times_a[k] == times_b[k] &&
        std::equal(a.values->begin() + begin,
                   a.values->begin() + begin + static_cast<std::ptrdiff_t>(numbers),
                   b.values->begin() + begin);
    if (!is_equal) return k == 0 ? std::min(times_a[0], times_b[0]) : times_a[k - 1];
  }
  if (times_a.size() == times_b.size()) return {};
  return keys == 0 ? 0 : times_a[keys - 1];
}

// "0.4"
std::string seconds(double time_s) {
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, time_s, std::chars_format::general, 4).ptr;
  return std::string(text, end);
}

}  // namespace

std::vector<std::string> mesh_differences(const Rig& a, const Rig& b) {
  std::vector<std::string> found;
  const bool same_count = a.mesh->vertex_count() == b.mesh->vertex_count();
  const Rig *of_a = &a, *of_b = &b;
  std::optional<BindSurfaces> surfaces;
  if (same_count &&
      (a.mesh->positions != b.mesh->positions || a.mesh->triangles != b.mesh->triangles)) {
    surfaces = bind_surfaces({&of_a, 1}, {&of_b, 1});
  }
  // Nothing else of a reordered mesh can be compared vertex by vertex.
  if (surfaces && a.mesh->positions != b.mesh->positions && have_another_order(*surfaces)) {
    found.push_back("the order of the vertices differs");
  } else {
    if (surfaces) add_triangles(*surfaces, found);
    if (same_count) add_weights(a, b, found);
    add_positions("POSITION", a.mesh->positions, b.mesh->positions, found);
    add_morph_targets(*a.mesh, *b.mesh, found);
  }
  add_joints(a, b, found);
  return found;
}

std::vector<std::string> clip_differences(const Skeleton& a, const Clip* clip_a, const Skeleton& b,
                                          const Clip* clip_b) {
  std::vector<std::string> found;
  const Channels of_a = channels_of(a, clip_a);
  Channels of_b = channels_of(b, clip_b);
  for (const auto& [name, channel] : of_a) {
    const auto other = of_b.find(name);
    if (other == of_b.end()) {
      found.push_back("the channel " + name + " is only in A");
      continue;
    }
    if (const auto from = first_difference(*channel, *other->second)) {
      found.push_back("the channel " + name + " differs from " + seconds(*from) + " s on");
    }
    of_b.erase(other);
  }
  for (const auto& [name, channel] : of_b) found.push_back("the channel " + name + " is only in B");
  return found;
}

std::vector<std::string> node_differences(const Skeleton& a, const Skeleton& b) {
  const std::vector<std::string> names_a = names_of(a), names_b = names_of(b);
  std::map<std::string, const Node*> of_b;
  for (std::size_t n = 0; n < b.nodes.size(); ++n) of_b.emplace(names_b[n], &b.nodes[n]);
  std::map<std::string, std::size_t> translation, rotation, scale, matrix;
  for (std::size_t n = 0; n < a.nodes.size(); ++n) {
    const std::string& name = names_a[n];
    const auto other = of_b.find(name);
    if (other == of_b.end()) continue;
    const Node &x = a.nodes[n], &y = *other->second;
    if (!are_equal(x.matrix, y.matrix)) ++matrix[name];
    const auto axes = [](const auto& v) { return std::tuple(v.x, v.y, v.z); };
    if (axes(x.translation) != axes(y.translation)) ++translation[name];
    if (axes(x.scale) != axes(y.scale)) ++scale[name];
    if (axes(x.rotation) != axes(y.rotation) || x.rotation.w != y.rotation.w) ++rotation[name];
  }
  std::vector<std::string> found;
  for (const auto& [what, names] : {std::pair{"translation", &translation},
                                    {"rotation", &rotation},
                                    {"scale", &scale},
                                    {"matrix", &matrix}}) {
    if (names->empty()) continue;
    found.push_back(std::string("the rest ") + what + " of " + most_frequent(*names) + " differs");
  }
  return found;
}

}  // namespace skinbake
