#include "methods/moment_entries.h"

#include <algorithm>
#include <limits>
#include <span>
#include <string>

#include "math/scalar.h"
#include "methods/smoothed_moments.h"
#include "rig/welded_surface.h"
#include "skinbake/error.h"

namespace skinbake {
namespace {

// Of the square of the mesh's diagonal: a neighbourhood of less is a point.
constexpr double kLeastSize = 1e-14;

double square_of_diagonal(const BindInput& input) {
  Vec3<double> low = input.position(0), high = low;
  for (VertexIndex v = 0; v < input.rig.mesh->vertex_count(); ++v) {
    const Vec3<double> p = input.position(v);
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return dot(high - low, high - low);
}

// The entries of one vertex.
void put(const Vec3<double>& centroid, std::span<const JointMoment> moments, double least,
         std::uint32_t* indices, double* numbers) {
  double size = 0;
  const JointMoment* heaviest = moments.data();
  for (const JointMoment& m : moments) {
    size += m.second[0] + m.second[3] + m.second[5];
    if (m.weight > heaviest->weight) heaviest = &m;
  }
  const bool has_size = size > least;
  const double header[kNumbersPerMoment] = {centroid.x, centroid.y, centroid.z,
                                            has_size ? 1 / size : 0, has_size ? least / size : 1};
  *indices++ = heaviest->joint;
  numbers = std::copy_n(header, kNumbersPerMoment, numbers);
  for (const JointMoment& m : moments) {
    *indices++ = m.joint;
    const Vec3<double>&x = m.first, apart = (1 / m.weight) * x, centre = centroid + apart;
    for (const double number :
         {m.second[0] - x.x * apart.x, m.second[1] - x.x * apart.y, m.second[2] - x.x * apart.z,
          m.second[3] - x.y * apart.y, m.second[4] - x.y * apart.z, m.second[5] - x.z * apart.z,
          x.x, x.y, x.z, m.weight, centre.x, centre.y, centre.z}) {
      *numbers++ = number;
    }
  }
}

}  // namespace

Bound bind_smoothed_moments(const BindInput& input) {
  using Of = MomentParameter;
  const Parameters& p = input.parameters;
  const WeldedSurface surface = build_surface(input.rig);
  const SmoothedMoments smoothed = smoothed_moments(
      input.rig, input.centre, surface,
      {p[Of::kLambda], p[Of::kKappa], static_cast<int>(p[Of::kSteps]), p[Of::kAlpha],
       p[Of::kLaplacian] != 0, static_cast<std::size_t>(p[Of::kPrune])},
      input.in_parallel);
  const double least = kLeastSize * square_of_diagonal(input);
  Bound bound;
  bound.numbers_per_entry = kNumbersPerMoment;
  bound.first_entry.push_back(0);
  std::size_t entries = 0;
  for (const PointIndex point : surface.point_of) {
    entries += 1 + smoothed.first[point + 1] - smoothed.first[point];
    if (entries > std::numeric_limits<std::uint32_t>::max()) {
      throw Error(ErrorKind::kUsage, "METHOD_PARAMETER_INVALID",
                  "mesh '" + input.rig.id + "': method 'ddm' with prune=" +
                      std::to_string(static_cast<std::size_t>(p[Of::kPrune])) +
                      " would keep more than 2^32 joints of its " +
                      std::to_string(surface.point_of.size()) + " vertices; write prune=8");
    }
    bound.first_entry.push_back(static_cast<std::uint32_t>(entries));
  }
  bound.indices.resize(entries);
  bound.numbers.resize(entries * kNumbersPerMoment);
  input.in_parallel(surface.point_of.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      const PointIndex point = surface.point_of[v];
      const std::span<const JointMoment> moments{
          smoothed.moments.data() + smoothed.first[point],
          smoothed.moments.data() + smoothed.first[point + 1]};
      const std::size_t entry = bound.first_entry[v];
      put(smoothed.centroids[point], moments, least, bound.indices.data() + entry,
          bound.numbers.data() + entry * kNumbersPerMoment);
    }
  });
  return bound;
}

}  // namespace skinbake
