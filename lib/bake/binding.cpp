#include "bake/binding.h"

#include <algorithm>

namespace skinbake {

namespace {

constexpr std::size_t kAxes = 3;

// Weights rounded to T sum to 1 only almost, and what is missing moves a character that stands far
// from the origin. The heaviest weight, whose rounding matters least, takes it.
template <class T>
void absorb_rounding(PackedInfluence<T>* begin, PackedInfluence<T>* end) {
  double rest = 0;
  for (const PackedInfluence<T>* i = begin + 1; i < end; ++i)
    rest += static_cast<double>(i->weight);
  begin->weight = static_cast<T>(1 - rest);
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
    : normals(rig.mesh->normals.begin(), rig.mesh->normals.end()),
      first_influence(rig.first_influence) {
  const double c[kAxes] = {centre.x, centre.y, centre.z};
  positions.resize(rig.mesh->positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    positions[i] = static_cast<T>(static_cast<double>(rig.mesh->positions[i]) - c[i % kAxes]);
  }
  for (const MorphTarget& target : rig.mesh->morph_targets) {
    morphs.push_back({{target.positions.begin(), target.positions.end()},
                      {target.normals.begin(), target.normals.end()}});
  }
  influences.resize(rig.influences.size());
  for (std::size_t i = 0; i < influences.size(); ++i) {
    influences[i] = {rig.influences[i].joint, static_cast<T>(rig.influences[i].weight)};
  }
  for (std::size_t v = 0; v + 1 < first_influence.size(); ++v) {
    absorb_rounding(influences.data() + first_influence[v],
                    influences.data() + first_influence[v + 1]);
  }
}

template struct Binding<float>;
template struct Binding<double>;

}  // namespace skinbake
