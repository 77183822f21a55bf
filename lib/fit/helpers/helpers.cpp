#include "fit/helpers/helpers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "fit/helpers/rigid_fit.h"
#include "fit/influences/vertex_fit.h"
#include "fit/training.h"
#include "math/rotation_parts.h"
#include "math/scalar.h"

namespace skinbake::fit {

namespace {

constexpr std::size_t kMatrixElements = 12, kCoordinates = 3;
// Vertices whose residual never exceeds this part of the diagonal stay as they are.
constexpr double kNegligibleGain = 1e-7;
constexpr std::size_t kSeedVertices = 16;
constexpr int kAlternations = 12;  // of a new helper alone
// A new helper that can remove no more than this part of a vertex's squares is not tried there.
constexpr double kLeastGain = 1e-2;
constexpr int kPolishings = 40;      // of all helpers
constexpr int kIdle = 8;             // polishings without a better iterate, after which it ends
constexpr int kSeeds = 3;            // tries for one helper
constexpr double kLower = 1 - 1e-3;  // a residual is lower if it is below this part of another
constexpr double kSame = 1 + 1e-3;   // likewise, not higher
// On both sides of a joint residuals are often alike, so that one helper does not lower the
// largest. A helper may raise it a little if it lowers the sum of squares.
constexpr double kMostRise = 1.1;
// Helpers whose largest residual is so many times the bound, or less, may reach it when polished.
constexpr double kPromising = 4;

// A vertex with a residual, and its influences so far.
struct Vertex {
  VertexIndex index = 0;
  std::vector<Influence> influences;
  SquaredErrors errors;
};

class HelperSearch {
 public:
  HelperSearch(const Problem& problem, const HelperOptions& options, const Workers& workers)
      : problem_(problem),
        options_(options),
        workers_(workers),
        joints_(problem.rig->joints.size()),
        frames_(training_of(in_order(problem))) {
    find_vertices();
  }

  HelperFit run() {
    HelperFit fit;
    fit.max_before_m = greatest();
    State best = state();
    bool goes_on = true;
    while (goes_on && best.greatest > options_.max_error_m && helpers_.size() < options_.most) {
      goes_on = add_helper();
      const bool is_last = !goes_on || helpers_.size() == options_.most;
      if (!is_last && greatest() > kPromising * options_.max_error_m) continue;
      State seeded = state();
      State polished = polish();
      if (polished.greatest < kLower * best.greatest) best = std::move(polished);
      restore(std::move(seeded));
    }
    restore(std::move(best));
    fit.max_after_m = greatest();
    set_influences(fit);
    fit.helpers = std::move(helpers_);
    return fit;
  }

 private:
  // What one iterate of the search consists of.
  struct State {
    std::vector<Helper> helpers;
    std::vector<Vertex> vertices;
    double greatest = 0, sum = 0;
  };

  State state() const { return {helpers_, vertices_, greatest(), sum()}; }

  // Whether the largest residual is lower, or the same while the sum of squares is lower.
  static bool is_better(const State& a, const State& b) {
    if (a.greatest < kLower * b.greatest) return true;
    return a.greatest < kSame * b.greatest && a.sum < kLower * b.sum;
  }

  const double* target(std::size_t i) const {
    return targets_.data() + i * kCoordinates * frames_.frame_count;
  }

  // target - sum of the influences except `without`. Shape [axis][frame].
  void residual(VertexIndex v, std::span<const Influence> influences, const double* target,
                std::optional<JointIndex> without, std::vector<double>& scratch, double* to) const {
    const std::size_t numbers = kCoordinates * frames_.frame_count;
    scratch.resize(2 * numbers);
    double *const rest = scratch.data(), *const moved = rest + numbers;
    rest_positions(*problem_.rig, frames_, v, rest);
    std::copy(target, target + numbers, to);
    for (const Influence& i : influences) {
      if (i.joint == without) continue;
      move_positions(frames_.matrices(i.joint), frames_.frame_count, rest, moved);
      for (std::size_t n = 0; n < numbers; ++n) to[n] -= i.weight * moved[n];
    }
  }

  SquaredErrors errors_of(const double* residual) const {
    const std::size_t n = frames_.frame_count;
    SquaredErrors errors;
    for (std::size_t f = 0; f < n; ++f) {
      const double x = residual[f], y = residual[n + f], z = residual[2 * n + f];
      const double squared = x * x + y * y + z * z;
      errors.add({squared, squared});
    }
    return errors;
  }

  // Whether a vertex is of a primitive without joints, to which a helper cannot be given: it
  // follows the node of the mesh, and the file does not have weights for it.
  bool follows_node(VertexIndex v) const {
    const std::span<const Influence> own = problem_.rig->influences_of(v);
    return own.size() == 1 && problem_.rig->joints[own[0].joint].node == problem_.rig->node;
  }

  // Keeps the vertices that linear blending does not bring to their targets.
  void find_vertices() {
    const std::size_t count = problem_.vertex_count(), numbers = kCoordinates * frames_.frame_count;
    const TargetClips clips = in_order(problem_);
    std::vector<SquaredErrors> errors(count);
    workers_.run(count, 64, [&](std::size_t begin, std::size_t end) {
      std::vector<double> target(numbers), left(numbers), scratch;
      for (std::size_t v = begin; v < end; ++v) {
        const auto index = static_cast<VertexIndex>(v);
        copy_targets(clips, index, target.data());
        residual(index, problem_.rig->influences_of(index), target.data(), {}, scratch,
                 left.data());
        errors[v] = errors_of(left.data());
      }
    });
    const double least = kNegligibleGain * problem_.bbox_diagonal_m;
    for (std::size_t v = 0; v < count; ++v) {
      if (errors[v].greatest <= least * least || follows_node(static_cast<VertexIndex>(v))) {
        rest_of_mesh_.add(errors[v]);
        continue;
      }
      const std::span<const Influence> own =
          problem_.rig->influences_of(static_cast<VertexIndex>(v));
      vertices_.push_back({static_cast<VertexIndex>(v), {own.begin(), own.end()}, errors[v]});
    }
    targets_.resize(vertices_.size() * numbers);
    workers_.run(vertices_.size(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        copy_targets(clips, vertices_[i].index, targets_.data() + i * numbers);
      }
    });
  }

  double greatest() const {
    double squared = rest_of_mesh_.greatest;
    for (const Vertex& vertex : vertices_) squared = std::max(squared, vertex.errors.greatest);
    return std::sqrt(squared);
  }

  double sum() const {
    double sum = rest_of_mesh_.sum;
    for (const Vertex& vertex : vertices_) sum += vertex.errors.sum;
    return sum;
  }

  Vec3<double> position(const Vertex& vertex) const {
    const float* p =
        problem_.rig->mesh->positions.data() + std::size_t{vertex.index} * kCoordinates;
    return {p[0], p[1], p[2]};
  }

  // The vertices by descending residual.
  std::vector<std::size_t> by_residual() const {
    std::vector<std::size_t> order(vertices_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return vertices_[a].errors.greatest > vertices_[b].errors.greatest;
    });
    return order;
  }

  // The vertices by their distance at rest from a seed, which is the first.
  std::vector<std::size_t> nearest(std::size_t seed, std::size_t count) const {
    std::vector<std::pair<double, std::size_t>> near;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      const Vec3<double> d = position(vertices_[i]) - position(vertices_[seed]);
      near.push_back({dot(d, d), i});
    }
    const auto end = near.begin() + static_cast<std::ptrdiff_t>(std::min(count, near.size()));
    std::partial_sort(near.begin(), end, near.end());
    std::vector<std::size_t> patch;
    for (auto one = near.begin(); one != end; ++one) patch.push_back(one->second);
    return patch;
  }

  // Tries the vertices with the largest residuals that are not near one another, and keeps the
  // best helper. Returns whether one was added.
  bool add_helper() {
    const State start = state();
    std::optional<State> best;
    std::vector<bool> tried(vertices_.size());
    int seeds = 0;
    for (const std::size_t seed : by_residual()) {
      if (tried[seed]) continue;
      if (++seeds > kSeeds) break;
      for (const std::size_t i : nearest(seed, std::max(kSeedVertices, vertices_.size() / 16))) {
        tried[i] = true;
      }
      seed_helper(nearest(seed, kSeedVertices));
      State tried_one = alternate();
      const bool is_accepted =
          is_better(tried_one, start) ||
          (tried_one.greatest < kMostRise * start.greatest && tried_one.sum < kLower * start.sum);
      if (is_accepted && (!best || is_better(tried_one, *best))) best = std::move(tried_one);
      restore(start);
    }
    if (best) restore(std::move(*best));
    return best.has_value();
  }

  // Fits the newest helper and the weights of the vertices that it can help in turn. The other
  // helpers keep their places: if they moved to suit the helpers so far, there would be no room for
  // later ones between them. Returns the best iterate.
  State alternate() {
    fit_weights(helped_by_newest());
    State best = state();
    for (int round = 0; round < kAlternations; ++round) {
      fit_motion(helpers_.size() - 1);
      fit_weights(helped_by_newest());
      State now = state();
      if (is_better(now, best)) best = std::move(now);
    }
    return best;
  }

  // Fits all helpers and all weights in turn; in the second half vertices and frames count by the
  // squares of their largest residuals. Returns the best iterate.
  State polish() {
    State best = state();
    for (int round = 0, idle = 0; round < kPolishings && idle < kIdle; ++round) {
      const bool is_weighted = round >= kPolishings / 2;
      if (is_weighted) weigh_frames();
      for (std::size_t h = 0; h < helpers_.size(); ++h) fit_motion(h);
      fit_weights();
      State now = state();
      const bool is_better_now = is_better(now, best);
      if (is_better_now) best = std::move(now);
      idle = is_better_now || !is_weighted ? 0 : idle + 1;
    }
    frame_weights_.clear();
    return best;
  }

  void restore(State state) {
    helpers_ = std::move(state.helpers);
    vertices_ = std::move(state.vertices);
    frames_.posed_from_rest.resize((joints_ + helpers_.size()) * kMatrixElements *
                                   frames_.frame_count);
    for (std::size_t h = 0; h < helpers_.size(); ++h) store_motion(h);
  }

  void store_motion(std::size_t h) {
    const std::size_t n = frames_.frame_count;
    double* const to = frames_.posed_from_rest.data() + (joints_ + h) * kMatrixElements * n;
    for (std::size_t f = 0; f < n; ++f) {
      const Affine<double> m = helpers_[h].posed_from_rest(f);
      const Vec3<double>& t = m.translation;
      const double elements[kMatrixElements] = {m.x.x, m.x.y, m.x.z, m.y.x, m.y.y, m.y.z,
                                                m.z.x, m.z.y, m.z.z, t.x,   t.y,   t.z};
      for (std::size_t e = 0; e < kMatrixElements; ++e) to[e * n + f] = elements[e];
    }
  }

  // Adds a helper that moves as the patch: its vertices have the helper alone.
  void seed_helper(const std::vector<std::size_t>& patch) {
    const auto joint = static_cast<JointIndex>(joints_ + helpers_.size());
    Helper& helper = helpers_.emplace_back();
    const JointIndex like = vertices_[patch.front()].influences.front().joint;
    helper.sign = sign_of(like);
    helper.motions.resize(frames_.frame_count);
    for (std::size_t f = 0; f < frames_.frame_count; ++f) {
      helper.motions[f].rotation = rotation_of(like, f);
    }
    frames_.posed_from_rest.resize((joints_ + helpers_.size()) * kMatrixElements *
                                   frames_.frame_count);
    std::vector<std::vector<Influence>> kept;
    for (const std::size_t i : patch) {
      kept.push_back(std::exchange(vertices_[i].influences, {{joint, 1}}));
    }
    fit_motion(helpers_.size() - 1);
    for (std::size_t k = 0; k < patch.size(); ++k) {
      vertices_[patch[k]].influences = std::move(kept[k]);
    }
    newest_ = joint;
  }

  Affine<double> linear_part(JointIndex joint, std::size_t f) const {
    const double* const m = frames_.matrices(joint) + f;
    const auto e = [&](std::size_t i) { return m[i * frames_.frame_count]; };
    return {{e(0), e(1), e(2)}, {e(3), e(4), e(5)}, {e(6), e(7), e(8)}, {}};
  }

  // The rotation R of a joint whose map is nearest to sign R.
  Quat<double> rotation_of(JointIndex joint, std::size_t f) const {
    if (joint >= joints_) return helpers_[joint - joints_].motions[f].rotation;
    return to_quat(polar_factors(linear_part(joint, f)).rotation);
  }
  double sign_of(JointIndex joint) const { return determinant(linear_part(joint, 0)) < 0 ? -1 : 1; }

  // Fits the motion of a helper to the vertices that it moves.
  void fit_motion(std::size_t h) {
    const auto joint = static_cast<JointIndex>(joints_ + h);
    const std::size_t n = frames_.frame_count;
    std::vector<RigidMoments> moments(n);
    std::vector<double> left(kCoordinates * n), rest(kCoordinates * n), scratch;
    Vec3<double> centre{0, 0, 0};
    double total = 0;
    const double sign = helpers_[h].sign;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      const Vertex& vertex = vertices_[i];
      const auto mine =
          std::find_if(vertex.influences.begin(), vertex.influences.end(),
                       [&](const Influence& influence) { return influence.joint == joint; });
      if (mine == vertex.influences.end()) continue;
      residual(vertex.index, vertex.influences, target(i), joint, scratch, left.data());
      rest_positions(*problem_.rig, frames_, vertex.index, rest.data());
      const double w = mine->weight;
      centre = centre + w * position(vertex);
      total += w;
      const double importance = importance_of(vertex);
      for (std::size_t f = 0; f < n; ++f) {
        moments[f].add(importance * w * w, {rest[f], rest[n + f], rest[2 * n + f]},
                       sign * importance * w * Vec3<double>{left[f], left[n + f], left[2 * n + f]});
      }
    }
    if (!(total > 0)) return;
    helpers_[h].centre = (1 / total) * centre;
    for (std::size_t f = 0; f < n; ++f) {
      Rigid<double>& motion = helpers_[h].motions[f];
      motion = rigid_fit(moments[f], motion.rotation);  // R u + sign t = sign q
      motion.translation = sign * motion.translation;
    }
    store_motion(h);
  }

  // The helpers that are candidates of a vertex: the newest, its present ones, the nearest.
  std::vector<JointIndex> candidates_of(const Vertex& vertex) const {
    std::vector<JointIndex> candidates;
    const auto add = [&](JointIndex joint) {
      const bool has = std::find(candidates.begin(), candidates.end(), joint) != candidates.end();
      if (!has && candidates.size() < kMostAdded) candidates.push_back(joint);
    };
    // The newest one was removed if it was not accepted.
    if (newest_ < joints_ + helpers_.size()) add(newest_);
    for (const Influence& i : vertex.influences) {
      if (i.joint >= joints_) add(i.joint);
    }
    std::vector<std::pair<double, JointIndex>> near;
    for (std::size_t h = 0; h < helpers_.size(); ++h) {
      const Vec3<double> d = position(vertex) - helpers_[h].centre;
      near.push_back({dot(d, d), static_cast<JointIndex>(joints_ + h)});
    }
    std::sort(near.begin(), near.end());
    for (const auto& [distance, joint] : near) add(joint);
    std::sort(candidates.begin(), candidates.end());
    return candidates;
  }

  double importance_of(const Vertex& vertex) const {
    if (frame_weights_.empty()) return 1;
    return std::max(1e-3, vertex.errors.greatest / (worst_ * worst_));
  }

  // Weights of frames by their largest residuals.
  void weigh_frames() {
    const std::size_t n = frames_.frame_count;
    std::vector<double> now(n), left(kCoordinates * n), scratch;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      residual(vertices_[i].index, vertices_[i].influences, target(i), {}, scratch, left.data());
      for (std::size_t f = 0; f < n; ++f) {
        now[f] = std::max(now[f], left[f] * left[f] + left[n + f] * left[n + f] +
                                      left[2 * n + f] * left[2 * n + f]);
      }
    }
    worst_ = greatest();
    frame_weights_.resize(n);
    for (std::size_t f = 0; f < n; ++f)
      frame_weights_[f] = std::max(1e-3, now[f] / (worst_ * worst_));
  }

  // The vertices that the newest helper moves, or that it would bring nearer to their targets.
  std::vector<std::size_t> helped_by_newest() const {
    std::vector<char> is_helped(vertices_.size());
    workers_.run(vertices_.size(), 64, [&](std::size_t begin, std::size_t end) {
      std::vector<double> scratch, left(kCoordinates * frames_.frame_count);
      for (std::size_t i = begin; i < end; ++i) {
        const std::vector<Influence>& mine = vertices_[i].influences;
        is_helped[i] = std::any_of(mine.begin(), mine.end(),
                                   [&](const Influence& one) { return one.joint == newest_; }) ||
                       gain_of_newest(i, scratch, left) > kLeastGain;
      }
    });
    std::vector<std::size_t> helped;
    for (std::size_t i = 0; i < is_helped.size(); ++i) {
      if (is_helped[i] != 0) helped.push_back(i);
    }
    return helped;
  }

  // The part of the squares of a vertex's residual e that a weight of the newest helper can remove,
  // if the other weights shrink alike: the squared cosine of the angle between e and e - d, where d
  // is the residual of the helper alone; 0 if the weight would be negative.
  double gain_of_newest(std::size_t i, std::vector<double>& scratch,
                        std::vector<double>& left) const {
    const std::size_t numbers = kCoordinates * frames_.frame_count;
    residual(vertices_[i].index, vertices_[i].influences, target(i), {}, scratch, left.data());
    double *const rest = scratch.data(), *const moved = rest + numbers;
    move_positions(frames_.matrices(newest_), frames_.frame_count, rest, moved);
    double squares = 0, removed = 0, length2 = 0;
    for (std::size_t n = 0; n < numbers; ++n) {
      const double e = left[n], change = e - (target(i)[n] - moved[n]);
      squares += e * e, removed += e * change, length2 += change * change;
    }
    return removed > 0 ? removed * removed / (squares * length2) : 0;
  }

  void fit_weights() {
    std::vector<std::size_t> all(vertices_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    fit_weights(all);
  }

  void fit_weights(const std::vector<std::size_t>& fitted) {
    workers_.run(fitted.size(), 16, [&](std::size_t begin, std::size_t end) {
      VertexFitOptions options{0, 0, std::nullopt, frame_weights_};
      std::optional<VertexFitter> fitter;  // made again where the number of influences changes
      for (std::size_t k = begin; k < end; ++k) {
        const std::size_t i = fitted[k];
        Vertex& vertex = vertices_[i];
        const std::size_t most =
            std::max(options_.influences, problem_.rig->influences_of(vertex.index).size());
        if (!fitter || options.most != most) {
          options.most = most;
          fitter.emplace(*problem_.rig, frames_, options);
        }
        const std::span<const double> to{target(i), kCoordinates * frames_.frame_count};
        VertexFit fit = fitter->fit(vertex.index, to, candidates_of(vertex));
        vertex.influences = std::move(fit.influences);
        vertex.errors = fit.chosen.trained;
      }
    });
  }

  void set_influences(HelperFit& fit) const {
    fit.first_influence.push_back(0);
    auto next = vertices_.begin();
    for (VertexIndex v = 0; v < problem_.vertex_count(); ++v) {
      std::span<const Influence> mine = problem_.rig->influences_of(v);
      if (next != vertices_.end() && next->index == v) mine = (next++)->influences;
      fit.influences.insert(fit.influences.end(), mine.begin(), mine.end());
      fit.first_influence.push_back(static_cast<std::uint32_t>(fit.influences.size()));
    }
  }

  const Problem& problem_;
  const HelperOptions& options_;
  const Workers& workers_;
  std::size_t joints_;     // of the rig
  TrainingFrames frames_;  // the joints, then the helpers
  std::vector<Helper> helpers_;
  std::vector<Vertex> vertices_;  // ascending
  std::vector<double> targets_;   // [vertex of vertices_][axis][frame]
  SquaredErrors rest_of_mesh_;    // of the other vertices
  JointIndex newest_ = 0;
  std::vector<double> frame_weights_;
  double worst_ = 0;
};

}  // namespace

HelperFit fit_helpers(const Problem& problem, const HelperOptions& options,
                      const Workers& workers) {
  return HelperSearch(problem, options, workers).run();
}

}  // namespace skinbake::fit
