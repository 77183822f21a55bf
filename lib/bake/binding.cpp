#include "bake/binding.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>

namespace skinbake {

namespace {

constexpr std::size_t kAxes = 3;
constexpr VertexIndex kLargestGroup = 4;

// Weights rounded to T sum to 1 only almost, and what is missing moves a character that stands far
// from the origin. The heaviest weight, whose rounding matters least, takes it.
template <class T>
void absorb_rounding(PackedInfluence<T>* begin, PackedInfluence<T>* end) {
  double rest = 0;
  for (const PackedInfluence<T>* i = begin + 1; i < end; ++i)
    rest += static_cast<double>(i->weight);
  begin->weight = static_cast<T>(1 - rest);
}

// w (p, 1) for each influence of a vertex, by joint. As with the weights, the heaviest takes what
// rounding leaves over, so that the moments add up to the point.
template <class T>
void set_moments(Influences<T> influences, const T* p, Moment<T>* moments) {
  double rest[kAxes] = {p[0], p[1], p[2]};
  for (std::size_t i = influences.size(); i-- > 0;) {
    const double w = influences[i].weight;
    T of_axis[kAxes];
    for (std::size_t a = 0; a < kAxes; ++a) {
      of_axis[a] = static_cast<T>(i == 0 ? rest[a] : w * p[a]);
      rest[a] -= of_axis[a];
    }
    // Insertion, which suits the usual four.
    std::size_t place = influences.size() - 1 - i;
    for (; place > 0 && moments[place - 1].joint > influences[i].joint; --place) {
      moments[place] = moments[place - 1];
    }
    moments[place] = {of_axis[0], of_axis[1], of_axis[2], influences[i].weight,
                      influences[i].joint};
  }
}

}  // namespace

Vec3<double> centre_of(const Mesh& mesh) {
  double low[kAxes] = {0, 0, 0}, high[kAxes] = {0, 0, 0};
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const double x = mesh.positions[i];
    double& l = low[i % kAxes];
    double& h = high[i % kAxes];
    l = i < kAxes ? x : std::min(l, x);
    h = i < kAxes ? x : std::max(h, x);
  }
  return {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2};
}

template <class T>
Binding<T>::Binding(const Rig& rig, const Vec3<double>& centre)
    : positions(rig.mesh->positions.size()),
      normals(rig.mesh->normals.begin(), rig.mesh->normals.end()),
      first_influence(rig.first_influence),
      influences(rig.influences.size()) {
  for (const MorphTarget& target : rig.mesh->morph_targets) {
    morphs.push_back({{target.positions.begin(), target.positions.end()},
                      {target.normals.begin(), target.normals.end()}});
  }
  const VertexIndex vertex_count = rig.mesh->vertex_count();
  if (morphs.empty()) {
    moments = AlignedArray<Moment<T>>(rig.influences.size());
    group_sizes = AlignedArray<std::uint8_t>(vertex_count);
  }
  // In groups of four, so that no group of equal joints is cut.
  const VertexIndex group_count = (vertex_count + kLargestGroup - 1) / kLargestGroup;
  tbb::parallel_for(VertexIndex{0}, group_count, [&](VertexIndex group) {
    const VertexIndex first = group * kLargestGroup;
    const VertexIndex last = std::min(first + kLargestGroup, vertex_count);
    for (VertexIndex v = first; v < last; ++v) bind_vertex(rig, centre, v);
    if (morphs.empty()) find_groups(first, last);
  });
}

template <class T>
void Binding<T>::bind_vertex(const Rig& rig, const Vec3<double>& centre, VertexIndex v) {
  const double c[kAxes] = {centre.x, centre.y, centre.z};
  for (std::size_t a = 0; a < kAxes; ++a) {
    const std::size_t i = std::size_t{v} * kAxes + a;
    positions[i] = static_cast<T>(static_cast<double>(rig.mesh->positions[i]) - c[a]);
  }
  const std::uint32_t begin = first_influence[v], end = first_influence[v + 1];
  for (std::uint32_t i = begin; i < end; ++i) {
    influences[i] = {rig.influences[i].joint, static_cast<T>(rig.influences[i].weight)};
  }
  absorb_rounding(influences.data() + begin, influences.data() + end);
  if (morphs.empty()) {
    set_moments(influences_of(v), positions.data() + std::size_t{v} * kAxes,
                moments.data() + begin);
  }
}

template <class T>
bool Binding<T>::have_same_joints(VertexIndex a, VertexIndex b) const {
  const auto joint = [](const Moment<T>& m) { return m.joint; };
  return std::ranges::equal(moments_of(a), moments_of(b), {}, joint, joint);
}

template <class T>
void Binding<T>::find_groups(VertexIndex first, VertexIndex last) {
  std::fill(group_sizes.data() + first, group_sizes.data() + last, std::uint8_t{1});
  for (VertexIndex v = first; v + 1 < last; v += 2) {
    if (!have_same_joints(v, v + 1)) continue;
    group_sizes[v] = 2;
    group_sizes[v + 1] = 0;
  }
  if (last - first == kLargestGroup && group_sizes[first] == 2 && group_sizes[first + 2] == 2 &&
      have_same_joints(first, first + 2)) {
    group_sizes[first] = kLargestGroup;
    group_sizes[first + 2] = 0;
  }
}

template struct Binding<float>;
template struct Binding<double>;

}  // namespace skinbake
