#include "bake/kernels/packed_rig.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <utility>

namespace skinbake {

namespace {

constexpr std::size_t kAxes = 3;

// A small mesh is one task: a second thread would take longer to begin than the mesh to pack.
constexpr VertexIndex kVerticesPerTask = 1024;

// The sum of weights that are rounded to T differs from 1, and the difference would move a
// character that stands far from the origin. The difference is therefore added to the heaviest
// weight, which changes least.
template <class T>
void absorb_rounding(PackedInfluence<T>* begin, PackedInfluence<T>* end) {
  double rest = 0;
  for (const PackedInfluence<T>* i = begin + 1; i < end; ++i)
    rest += static_cast<double>(i->weight);
  begin->weight = static_cast<T>(1 - rest);
}

// Sorts the influences of a bundle by joint (a counting sort), and makes moments of them.
template <class T>
class MomentSorter {
 public:
  explicit MomentSorter(std::size_t joint_count) : next_(joint_count, 0) {}

  // Writes the bundle's moments and appends its runs.
  void sort(const PackedRig<T>& rig, VertexIndex first, VertexIndex last, Moment<T>* moments,
            std::vector<MomentRun>& runs) {
    std::uint32_t at = rig.first_influence[first];
    joints_.clear();
    for (std::uint32_t i = at; i < rig.first_influence[last]; ++i) {
      const std::uint32_t joint = rig.influences[i].joint;
      if (next_[joint]++ == 0) joints_.push_back(joint);
    }
    std::sort(joints_.begin(), joints_.end());
    for (const std::uint32_t joint : joints_) {
      const std::uint32_t count = std::exchange(next_[joint], at);
      runs.push_back({joint, at += count});
    }
    for (VertexIndex v = first; v < last; ++v) {
      put(rig.influences_of(v), rig.positions.data() + std::size_t{v} * kAxes, v - first, moments);
    }
    for (const std::uint32_t joint : joints_) next_[joint] = 0;
  }

 private:
  // w (p, 1) for each influence of a vertex. The rounding errors are added to the heaviest
  // influence, so that the moments add up to the point.
  void put(Influences<T> influences, const T* p, VertexIndex vertex, Moment<T>* moments) {
    double rest[kAxes] = {p[0], p[1], p[2]};
    for (std::size_t i = influences.size(); i-- > 0;) {
      const double w = influences[i].weight;
      T of_axis[kAxes];
      for (std::size_t a = 0; a < kAxes; ++a) {
        of_axis[a] = static_cast<T>(i == 0 ? rest[a] : w * p[a]);
        rest[a] -= of_axis[a];
      }
      moments[next_[influences[i].joint]++] = {of_axis[0], of_axis[1], of_axis[2],
                                               influences[i].weight, vertex};
    }
  }

  std::vector<std::uint32_t> next_;  // [joint] first counts, then the index of the next moment
  std::vector<std::uint32_t> joints_;
};

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
PackedRig<T>::PackedRig(const Rig& rig, const Vec3<double>& centre)
    : positions(rig.mesh->positions.size()),
      normals(rig.mesh->normals.begin(), rig.mesh->normals.end()),
      first_influence(rig.first_influence),
      influences(rig.influences.size()) {
  for (const MorphTarget& target : rig.mesh->morph_targets) {
    morphs.push_back({{target.positions.begin(), target.positions.end()},
                      {target.normals.begin(), target.normals.end()},
                      {target.tangents.begin(), target.tangents.end()}});
  }
  const std::vector<float>& xyzw = rig.mesh->tangents;
  tangents.reserve(xyzw.size() / 4 * kAxes);
  for (std::size_t i = 0; i < xyzw.size(); i += 4) {
    tangents.insert(tangents.end(), {xyzw[i], xyzw[i + 1], xyzw[i + 2]});
  }
  tbb::parallel_for(tbb::blocked_range<VertexIndex>(0, rig.mesh->vertex_count(), kVerticesPerTask),
                    [&](const auto& range) {
                      for (VertexIndex v = range.begin(); v < range.end(); ++v) {
                        pack_vertex(rig, centre, v);
                      }
                    });
  if (morphs.empty()) make_moments(rig.joints.size());
}

template <class T>
void PackedRig<T>::pack_vertex(const Rig& rig, const Vec3<double>& centre, VertexIndex v) {
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
}

template <class T>
void PackedRig<T>::make_moments(std::size_t joint_count) {
  const auto vertex_count = static_cast<VertexIndex>(first_influence.size() - 1);
  const VertexIndex bundles = (vertex_count + kVerticesPerBundle - 1) / kVerticesPerBundle;
  moments = AlignedArray<Moment<T>>(influences.size());
  std::vector<std::vector<MomentRun>> runs_of(bundles);
  constexpr VertexIndex kBundlesPerTask = kVerticesPerTask / kVerticesPerBundle;
  const tbb::blocked_range<VertexIndex> all(0, bundles, kBundlesPerTask);
  tbb::parallel_for(all, [&](const auto& range) {
    MomentSorter<T> sorter(joint_count);
    for (VertexIndex b = range.begin(); b < range.end(); ++b) {
      const VertexIndex first = b * kVerticesPerBundle;
      sorter.sort(*this, first, std::min(first + kVerticesPerBundle, vertex_count), moments.data(),
                  runs_of[b]);
    }
  });
  first_run.push_back(0);
  for (const std::vector<MomentRun>& some : runs_of) {
    runs.insert(runs.end(), some.begin(), some.end());
    first_run.push_back(static_cast<std::uint32_t>(runs.size()));
  }
}

template struct PackedRig<float>;
template struct PackedRig<double>;

}  // namespace skinbake
