#include "methods/bind/smoothed_moments.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "math/scalar.h"
#include "methods/bind/smoothing.h"
#include "skinbake/error.h"

namespace skinbake {
namespace {

constexpr std::size_t kFields = ImplicitSmoother::kFields;

// Shares below this are omitted: they move a vertex by at most 1e-12 of the mesh's size, a
// hundredth of the tolerance for evaluations in double.
constexpr double kLeastShare = 1e-12;

// The shares of a joint in a point, before normalisation.
struct Share {
  JointIndex joint;
  double psi, smooth;  // Psi_ij(4,4) and w'_ij
};

class MomentBinder {
 public:
  MomentBinder(const Rig& rig, const Vec3<double>& centre, const WeldedSurface& surface,
               const MomentParameters& parameters, const ParallelFor& in_parallel)
      : rig_(rig), surface_(surface), parameters_(parameters), in_parallel_(in_parallel) {
    for (const VertexIndex v : surface.vertex_of) {
      const float* p = rig.mesh->positions.data() + std::size_t{v} * 3;
      positions_.push_back(Vec3<double>{p[0], p[1], p[2]} - centre);
    }
    list_vertices_of_joints();
  }

  SmoothedMoments run() {
    const Laplacian laplacian = parameters_.cotangent ? cotangent_laplacian(surface_, positions_)
                                                      : uniform_laplacian(surface_);
    const ImplicitSmoother rotation(surface_, laplacian, parameters_.lambda, rig_.id);
    {
      // Translations are smoothed separately only if alpha > 0.
      std::optional<ImplicitSmoother> translation;
      if (parameters_.alpha > 0) {
        translation.emplace(surface_, laplacian, parameters_.kappa, rig_.id);
      }
      find_shares(rotation, translation ? &*translation : nullptr);
    }
    lay_out();
    find_moments(rotation);
    in_parallel_(surface_.point_count(), [&](std::size_t first, std::size_t last) {
      for (std::size_t p = first; p < last; ++p) finish(static_cast<PointIndex>(p));
    });
    return std::move(result_);
  }

 private:
  struct PointWeight {
    PointIndex point;
    double weight;
  };

  void list_vertices_of_joints() {
    std::vector<std::vector<PointWeight>> lists(rig_.joints.size());
    for (PointIndex p = 0; p < surface_.point_count(); ++p) {
      for (const Influence& i : rig_.influences_of(surface_.vertex_of[p])) {
        lists[i.joint].push_back({p, i.weight});
      }
    }
    for (JointIndex j = 0; j < lists.size(); ++j) {
      if (lists[j].empty()) continue;
      joints_.push_back(j);
      points_.push_back(std::move(lists[j]));
    }
  }

  // Computes Psi_ij(4,4) and w'_ij, for kFields joints at a time.
  void find_shares(const ImplicitSmoother& rotation, const ImplicitSmoother* translation) {
    shares_.resize(surface_.point_count());
    const std::size_t batches = (joints_.size() + kFields - 1) / kFields;
    in_parallel_(batches, [&](std::size_t first, std::size_t last) {
      std::vector<double> psi(surface_.point_count() * kFields), smooth(psi.size());
      for (std::size_t batch = first; batch < last; ++batch) {
        smooth_weights(rotation, batch, psi);
        if (translation != nullptr) smooth_weights(*translation, batch, smooth);
        add_shares(rotation, translation, batch, psi, smooth);
      }
    });
  }

  void smooth_weights(const ImplicitSmoother& smoother, std::size_t batch,
                      std::vector<double>& fields) const {
    std::fill(fields.begin(), fields.end(), 0);
    for (std::size_t f = 0; f < kFields && batch * kFields + f < joints_.size(); ++f) {
      for (const auto& [point, weight] : points_[batch * kFields + f]) {
        fields[smoother.row(point) * kFields + f] = weight;
      }
    }
    smoother.smooth(parameters_.steps, fields.data());
  }

  // The greatest shares are kept; of equal shares, the lower joints' shares. The result does not
  // depend on the order in which batches arrive.
  void add_shares(const ImplicitSmoother& rotation, const ImplicitSmoother* translation,
                  std::size_t batch, const std::vector<double>& psi,
                  const std::vector<double>& smooth) {
    const std::lock_guard lock(mutex_);
    const auto is_greater = [&](const Share& a, const Share& b) {
      const double of_a = share(a), of_b = share(b);
      return of_a != of_b ? of_a > of_b : a.joint < b.joint;
    };
    for (PointIndex p = 0; p < surface_.point_count(); ++p) {
      std::vector<Share>& shares = shares_[p];
      for (std::size_t f = 0; f < kFields && batch * kFields + f < joints_.size(); ++f) {
        const double of_rotation = psi[rotation.row(p) * kFields + f];
        const Share mine{
            joints_[batch * kFields + f], of_rotation,
            translation == nullptr ? of_rotation : smooth[translation->row(p) * kFields + f]};
        if (share(mine) < kLeastShare) continue;
        shares.insert(std::upper_bound(shares.begin(), shares.end(), mine, is_greater), mine);
        if (parameters_.most_joints > 0 && shares.size() > parameters_.most_joints) {
          shares.pop_back();
        }
      }
    }
  }

  double share(const Share& s) const {  // Omega_ij(4,4)
    return (1 - parameters_.alpha) * s.psi + parameters_.alpha * s.smooth;
  }

  // Allocates the moments, by joint; their weights are w' until finish().
  void lay_out() {
    result_.first = {0};
    for (std::vector<Share>& shares : shares_) {
      std::sort(shares.begin(), shares.end(),
                [](const Share& a, const Share& b) { return a.joint < b.joint; });
      double sum = 0;
      for (const Share& s : shares) sum += s.smooth;
      for (const Share& s : shares) {
        result_.moments.push_back({s.joint, {}, {0, 0, 0}, sum > 0 ? s.smooth / sum : 0});
        psi_.push_back(0);
      }
      result_.first.push_back(static_cast<std::uint32_t>(result_.moments.size()));
      std::vector<Share>().swap(shares);
    }
    result_.centroids.resize(surface_.point_count());
  }

  // Psi_ij, joint by joint: ten fields w_kj (u_k, 1) (u_k, 1)^T each.
  void find_moments(const ImplicitSmoother& rotation) {
    in_parallel_(joints_.size(), [&](std::size_t first, std::size_t last) {
      std::vector<double> fields(surface_.point_count() * kFields);
      for (std::size_t j = first; j < last; ++j) {
        std::fill(fields.begin(), fields.end(), 0);
        for (const auto& [point, w] : points_[j]) {
          const Vec3<double>& u = positions_[point];
          const double moment[] = {
              w * u.x * u.x, w * u.x * u.y, w * u.x * u.z, w * u.y * u.y, w * u.y * u.z,
              w * u.z * u.z, w * u.x,       w * u.y,       w * u.z,       w};
          std::copy_n(moment, kFields, fields.data() + rotation.row(point) * kFields);
        }
        rotation.smooth(parameters_.steps, fields.data());
        for (PointIndex p = 0; p < surface_.point_count(); ++p) {
          take(p, joints_[j], fields.data() + rotation.row(p) * kFields);
        }
      }
    });
  }

  void take(PointIndex p, JointIndex joint, const double* fields) {
    const auto begin = result_.moments.begin() + result_.first[p];
    const auto end = result_.moments.begin() + result_.first[p + 1];
    const auto at = std::lower_bound(
        begin, end, joint, [](const JointMoment& m, JointIndex j) { return m.joint < j; });
    if (at == end || at->joint != joint) return;
    std::copy_n(fields, 6, at->second.begin());
    at->first = {fields[6], fields[7], fields[8]};
    psi_[static_cast<std::size_t>(at - result_.moments.begin())] = fields[9];
  }

  // From Psi about the centre to Omega about p.
  void finish(PointIndex point) {
    double sum = 0;
    Vec3<double> p{0, 0, 0};
    for (std::uint32_t i = result_.first[point]; i < result_.first[point + 1]; ++i) {
      sum += psi_[i];
      p = p + result_.moments[i].first;
    }
    p = (1 / sum) * p;
    result_.centroids[point] = p;
    const double scale = (1 - parameters_.alpha) / sum;
    for (std::uint32_t i = result_.first[point]; i < result_.first[point + 1]; ++i) {
      JointMoment& m = result_.moments[i];
      const double w = psi_[i];
      const Vec3<double> x = m.first;
      const std::array<double, 6> to_p{
          w * p.x * p.x - (x.x * p.x + p.x * x.x), w * p.x * p.y - (x.x * p.y + p.x * x.y),
          w * p.x * p.z - (x.x * p.z + p.x * x.z), w * p.y * p.y - (x.y * p.y + p.y * x.y),
          w * p.y * p.z - (x.y * p.z + p.y * x.z), w * p.z * p.z - (x.z * p.z + p.z * x.z)};
      for (std::size_t e = 0; e < to_p.size(); ++e) {
        m.second[e] = scale * (m.second[e] + to_p[e]);
      }
      m.first = scale * (x - w * p);
      m.weight = scale * w + parameters_.alpha * m.weight;
    }
  }

  const Rig& rig_;
  const WeldedSurface& surface_;
  const MomentParameters& parameters_;
  const ParallelFor& in_parallel_;
  std::vector<Vec3<double>> positions_;           // [point]
  std::vector<JointIndex> joints_;                // joints with weight
  std::vector<std::vector<PointWeight>> points_;  // [index into joints_]
  std::mutex mutex_;
  std::vector<std::vector<Share>> shares_;  // [point] greatest first
  std::vector<double> psi_;                 // [moment] Psi_ij(4,4)
  SmoothedMoments result_;
};

// A neighbourhood whose size is below this share of the mesh's squared diagonal is treated as a
// point.
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

// Writes the entries of one vertex.
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

// Shares sum to 1, but for the rounding of as many additions as there are joints.
constexpr double kShareRounding = 1e-6;

std::string fault_of_moments(const BindInput& input, const BindEntries& of) {
  if (of.indices.size() < 2) return "it does not have a joint";
  const auto joints = of.indices.subspan(1);
  double sum = 0, most = 0;
  std::uint32_t heaviest = joints[0];
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const std::string joint = std::to_string(joints[i]);
    if (joints[i] >= input.rig.joints.size())
      return "joint " + joint + " is not one of the " + std::to_string(input.rig.joints.size());
    if (i > 0 && joints[i] <= joints[i - 1]) return "joint " + joint + " is not in ascending order";
    const double weight = of.numbers[(i + 1) * kNumbersPerMoment + kWeight];
    if (!(weight > 0)) return "the weight of joint " + joint + " is not above 0";
    if (weight > most) most = weight, heaviest = joints[i];
    sum += weight;
  }
  if (of.indices[0] != heaviest)
    return "joint " + std::to_string(of.indices[0]) + " is not the joint of greatest weight";
  return std::abs(sum - 1) > kShareRounding ? "its weights do not sum to 1" : "";
}

}  // namespace

SmoothedMoments smoothed_moments(const Rig& rig, const Vec3<double>& centre,
                                 const WeldedSurface& surface, const MomentParameters& parameters,
                                 const ParallelFor& in_parallel) {
  return MomentBinder(rig, centre, surface, parameters, in_parallel).run();
}

BindData bind_smoothed_moments(const BindInput& input) {
  using Of = MomentParameter;
  const Parameters& p = input.parameters;
  const WeldedSurface surface = build_surface(input.rig);
  const SmoothedMoments smoothed = smoothed_moments(
      input.rig, input.centre, surface,
      {p[Of::kLambda], p[Of::kKappa], static_cast<int>(p[Of::kSteps]), p[Of::kAlpha],
       p[Of::kLaplacian] != 0, static_cast<std::size_t>(p[Of::kPrune])},
      input.in_parallel);
  const double least = kLeastSize * square_of_diagonal(input);
  BindData bind_data;
  bind_data.numbers_per_entry = kNumbersPerMoment;
  bind_data.first_entry.push_back(0);
  std::size_t entries = 0;
  for (const PointIndex point : surface.point_of) {
    entries += 1 + smoothed.first[point + 1] - smoothed.first[point];
    if (entries > std::numeric_limits<std::uint32_t>::max()) {
      throw Error("METHOD_PARAMETER_INVALID",
                  "mesh '" + input.rig.id + "': method 'ddm' with prune=" +
                      std::to_string(static_cast<std::size_t>(p[Of::kPrune])) +
                      " keeps more than 2^32 joints of its " +
                      std::to_string(surface.point_of.size()) + " vertices; write prune=8");
    }
    bind_data.first_entry.push_back(static_cast<std::uint32_t>(entries));
  }
  bind_data.indices.resize(entries);
  bind_data.numbers.resize(entries * kNumbersPerMoment);
  input.in_parallel(surface.point_of.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      const PointIndex point = surface.point_of[v];
      const std::span<const JointMoment> moments{
          smoothed.moments.data() + smoothed.first[point],
          smoothed.moments.data() + smoothed.first[point + 1]};
      const std::size_t entry = bind_data.first_entry[v];
      put(smoothed.centroids[point], moments, least, bind_data.indices.data() + entry,
          bind_data.numbers.data() + entry * kNumbersPerMoment);
    }
  });
  return bind_data;
}

BindForm form_of_moments(const BindInput& input) {
  const std::uint64_t all = input.rig.joints.size();
  const auto most = static_cast<std::uint64_t>(input.parameters[MomentParameter::kPrune]);
  const std::uint64_t joints = most > 0 ? std::min(most, all) : all;
  return {kNumbersPerMoment, input.rig.mesh->vertex_count() * (1 + joints), fault_of_moments};
}

}  // namespace skinbake
