// Rigid motions that fit points, and the joints of helpers.

#include <Eigen/Core>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "clip/sampling/clip_tracks.h"
#include "fit/helpers/helpers.h"
#include "fit/helpers/rigid_fit.h"
#include "math/rotation_parts.h"
#include "math/scalar.h"
#include "skinbake/error.h"

namespace skinbake::fit {

namespace {

// The part of the points' extent that pulls the rotation to the usual one.
constexpr double kPull = 1e-9;

Eigen::Matrix3d matrix_of(const Affine<double>& m) {
  Eigen::Matrix3d matrix;
  matrix << m.x.x, m.y.x, m.z.x, m.x.y, m.y.y, m.z.y, m.x.z, m.y.z, m.z.z;
  return matrix;
}

Affine<double> affine_of(const Eigen::Matrix3d& m) {
  return {{m(0, 0), m(1, 0), m(2, 0)},
          {m(0, 1), m(1, 1), m(2, 1)},
          {m(0, 2), m(1, 2), m(2, 2)},
          {0, 0, 0}};
}

}  // namespace

void RigidMoments::add(double squared_weight, const Vec3<double>& u,
                       const Vec3<double>& weighted_q) {
  weight += squared_weight;
  rest = rest + squared_weight * u;
  posed = posed + weighted_q;
  size += squared_weight * dot(u, u);
  products.x = products.x + u.x * weighted_q;
  products.y = products.y + u.y * weighted_q;
  products.z = products.z + u.z * weighted_q;
}

Rigid<double> rigid_fit(const RigidMoments& moments, const Quat<double>& usual) {
  const double inverse = 1 / moments.weight;
  const Vec3<double> u = inverse * moments.rest, q = inverse * moments.posed;
  Affine<double> centred = moments.products;
  centred.x = centred.x - u.x * moments.posed;
  centred.y = centred.y - u.y * moments.posed;
  centred.z = centred.z - u.z * moments.posed;
  const double extent = moments.size - dot(u, moments.rest);
  const Affine<double> pull = to_affine(usual, Vec3<double>{0, 0, 0});
  const Eigen::Matrix3d sums = matrix_of(centred) + kPull * (extent + 1e-30) * matrix_of(pull);
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(sums, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d rotation = svd.matrixU() * svd.matrixV().transpose();
  if (rotation.determinant() < 0) {
    Eigen::Matrix3d mirrored = svd.matrixU();
    mirrored.col(2) = -mirrored.col(2);
    rotation = mirrored * svd.matrixV().transpose();
  }
  const Affine<double> turned = affine_of(rotation);
  return {to_quat(turned), q - rotate(turned, u)};
}

namespace {

// Scales that differ by less are equal: float32 rounds the matrices of files.
constexpr double kSameScale = 1e-4;

// scene_from_joint: p -> scale rotation p + translation.
struct Similarity {
  Affine<double> rotation;
  Vec3<double> translation;
  double scale;
};

// None: the map is sheared or singular.
std::optional<Similarity> similarity_of(const Affine<double>& m) {
  const double scale = cbrt(determinant(m));
  const double tolerance = kSameScale * scale * scale;
  const auto is_square = [&](const Vec3<double>& column) {
    return std::abs(dot(column, column) - scale * scale) <= tolerance;
  };
  const bool is_similar =
      is_square(m.x) && is_square(m.y) && is_square(m.z) && std::abs(dot(m.x, m.y)) <= tolerance &&
      std::abs(dot(m.y, m.z)) <= tolerance && std::abs(dot(m.z, m.x)) <= tolerance;
  if (!is_similar || scale == 0 || !std::isfinite(scale)) return {};
  return Similarity{polar_factors((1 / scale) * m).rotation, m.translation, scale};
}

Affine<double> transposed(const Affine<double>& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}, {0, 0, 0}};
}

// The joint in every frame; none if it is not a similarity of one scale.
std::optional<std::vector<Similarity>> motion_of(const Problem& problem, JointIndex joint) {
  const Affine<double> model_from_joint = inverse(problem.rig->joints[joint].joint_from_model);
  std::vector<Similarity> motion;
  for (const ClipFrames& clip : problem.clips) {
    for (std::size_t f = 0; f < clip.frame_count(); ++f) {
      const auto similarity = similarity_of(problem.joints(clip, f)[joint] * model_from_joint);
      if (!similarity) return {};
      if (!motion.empty() && std::abs(similarity->scale - motion.front().scale) >
                                 kSameScale * std::abs(motion.front().scale)) {
        return {};
      }
      motion.push_back(*similarity);
    }
  }
  return motion;
}

// The joints of the vertices of each helper, by descending weight.
std::vector<std::vector<JointIndex>> joints_of(const Problem& problem, const HelperFit& fit) {
  const std::size_t count = problem.rig->joints.size();
  std::vector<std::vector<double>> weights(fit.helpers.size(), std::vector<double>(count));
  for (VertexIndex v = 0; v < problem.vertex_count(); ++v) {
    for (std::uint32_t i = fit.first_influence[v]; i < fit.first_influence[v + 1]; ++i) {
      if (fit.influences[i].joint < count) continue;
      std::vector<double>& of_helper = weights[fit.influences[i].joint - count];
      for (const Influence& own : problem.rig->influences_of(v)) {
        of_helper[own.joint] += fit.influences[i].weight * own.weight;
      }
    }
  }
  std::vector<std::vector<JointIndex>> joints;
  for (const std::vector<double>& of_helper : weights) {
    std::vector<JointIndex>& mine = joints.emplace_back();
    for (JointIndex j = 0; j < count; ++j) {
      if (of_helper[j] > 0) mine.push_back(j);
    }
    std::stable_sort(mine.begin(), mine.end(),
                     [&](JointIndex a, JointIndex b) { return of_helper[a] > of_helper[b]; });
  }
  return joints;
}

double rounded(double number) {
  return double{static_cast<float>(number)};
}

// The inverse bind matrix p -> (p - centre) / scale, as a file stores it. Far from the origin, its
// rounded translation is of another centre, about which the helper must turn.
Affine<double> stored_bind(const Vec3<double>& centre, double scale) {
  Affine<double> bind = rounded(1 / scale) * kIdentity;
  const Vec3<double> t = (-1 / scale) * centre;
  bind.translation = {rounded(t.x), rounded(t.y), rounded(t.z)};
  return bind;
}

// The point that an inverse bind matrix moves to the origin.
Vec3<double> centre_of(const Affine<double>& bind) {
  return (-1 / bind.x.x) * bind.translation;
}

// Appends the keys of a helper in one clip: its motion at the times of the keys. `first`: the
// number of the clip's first frame in all clips.
void add_keys(const Helper& helper, const Vec3<double>& centre,
              const std::vector<Similarity>& parent, std::size_t first, ClipKeys& keys) {
  ClipTrack rotations{.path = ChannelPath::kRotation, .width = 4, .keys = {}};
  ClipTrack translations{.path = ChannelPath::kTranslation, .width = 3, .keys = {}};
  Quat<double> last{0, 0, 0, 0};
  for (std::int64_t k = 0; k < keys.frames.frame_count; ++k) {
    const std::size_t f = first + static_cast<std::size_t>(k);
    const auto& [r, t] = helper.motions[f];
    const Affine<double> parent_from_scene = transposed(parent[f].rotation);
    Quat<double> q = to_quat(parent_from_scene * to_affine(r, t));
    const double same = q.w * last.w + q.x * last.x + q.y * last.y + q.z * last.z;
    if (same < 0) q = {-q.w, -q.x, -q.y, -q.z};
    last = q;
    const Vec3<double> at =
        (1 / parent[f].scale) *
        rotate(parent_from_scene, helper.posed_from_rest(f) * centre - parent[f].translation);
    for (const double x : {q.x, q.y, q.z, q.w}) rotations.keys.push_back(static_cast<float>(x));
    for (const double x : {at.x, at.y, at.z}) translations.keys.push_back(static_cast<float>(x));
  }
  move_to_key_times(keys.frames, rotations);
  move_to_key_times(keys.frames, translations);
  keys.helper_rotations.push_back(std::move(rotations.keys));
  keys.helper_translations.push_back(std::move(translations.keys));
}

}  // namespace

Affine<double> Helper::posed_from_rest(std::size_t frame) const {
  const auto& [r, t] = motions[frame];
  Affine<double> map = to_affine(r, t);
  map.x = sign * map.x, map.y = sign * map.y, map.z = sign * map.z;
  return map;
}

bool can_have_helper(const Problem& problem, JointIndex joint) {
  return motion_of(problem, joint).has_value();
}

void add_helper_joints(const Problem& problem, const HelperFit& fit, const std::string& name,
                       RigChanges& changes) {
  changes.first_influence = fit.first_influence;
  changes.influences = fit.influences;
  const std::vector<std::vector<JointIndex>> joints = joints_of(problem, fit);
  for (std::size_t h = 0; h < fit.helpers.size(); ++h) {
    const Helper& helper = fit.helpers[h];
    std::optional<std::vector<Similarity>> parent;
    JointIndex joint = 0;
    for (const JointIndex candidate : joints[h]) {
      parent = motion_of(problem, joint = candidate);
      if (parent) break;
    }
    if (!parent) {
      throw Error("HELPERS_IMPOSSIBLE", "mesh '" + problem.rig->id +
                                            "': a helper joint cannot follow its joints, which " +
                                            "are sheared or change their scale");
    }
    // Negative if the parent mirrors and the helper does not, or the other way round.
    const double scale = helper.sign * parent->front().scale;
    const Affine<double>& bind = problem.rig->joints[joint].joint_from_model;
    HelperJoint& to = changes.helpers.emplace_back();
    to.name = name + "." + std::to_string(h);
    to.parent = problem.rig->joints[joint].node;
    to.joint_from_model = stored_bind(helper.centre, scale);
    const Vec3<double> centre = centre_of(to.joint_from_model);
    to.rest = {to_quat(polar_factors(scale * bind).rotation), bind * centre};
    std::size_t first = 0;
    for (ClipKeys& keys : changes.clips) {
      add_keys(helper, centre, *parent, first, keys);
      first += static_cast<std::size_t>(keys.frames.frame_count);
    }
  }
}

}  // namespace skinbake::fit
