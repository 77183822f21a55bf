#include "methods/smoothed_moments.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "math/scalar.h"
#include "methods/implicit_smoother.h"

namespace skinbake {
namespace {

constexpr std::size_t kFields = ImplicitSmoother::kFields;

// A share of less moves nothing by more than 1e-12 of the mesh's size: a hundredth of what
// evaluations in double are held to.
constexpr double kLeastShare = 1e-12;

// The shares of one joint in one point, before they are divided by their sums.
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
      // Only where translations are smoothed apart.
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

  // Psi_ij(4,4) and w'_ij: weights alone, kFields joints at a time.
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

  // Which shares are kept does not depend on the order in which batches come: the greatest, and of
  // equal ones those of lower joints.
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

  // Makes places for the moments, by joint; their weights are w' until finish().
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
  std::vector<JointIndex> joints_;                // those with weight
  std::vector<std::vector<PointWeight>> points_;  // [of joints_]
  std::mutex mutex_;
  std::vector<std::vector<Share>> shares_;  // [point] the greatest first
  std::vector<double> psi_;                 // [moment] Psi_ij(4,4)
  SmoothedMoments result_;
};

}  // namespace

SmoothedMoments smoothed_moments(const Rig& rig, const Vec3<double>& centre,
                                 const WeldedSurface& surface, const MomentParameters& parameters,
                                 const ParallelFor& in_parallel) {
  return MomentBinder(rig, centre, surface, parameters, in_parallel).run();
}

}  // namespace skinbake
