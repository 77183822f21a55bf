#include "skinbake/fit.h"

#include <cmath>
#include <functional>

#include "fit/correctives/residuals.h"
#include "fit/influences/fit_to_targets.h"
#include "fit/influences/vertex_fit.h"
#include "fit/parallel.h"
#include "fit/training.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

void require_valid(int count, const TrainingClips& training) {
  if (count < 1 || count > kMostFittedInfluences) {
    throw Error("FIT_COUNT_INVALID", "a fit keeps from 1 to " +
                                         std::to_string(kMostFittedInfluences) +
                                         " influences, not " + std::to_string(count));
  }
  if (training.clips.empty() && training.always.empty()) {
    throw Error("FIT_WITHOUT_CLIPS", "a fit of influences learns from clips, and none is given");
  }
}

// Adds the errors of vertices in their order.
class ErrorSums {
 public:
  void add(const fit::VertexFit& one) {
    trained_.chosen.add(one.chosen.trained), trained_.largest.add(one.largest.trained);
    left_out_.chosen.add(one.chosen.left_out), left_out_.largest.add(one.largest.left_out);
    fitted_ += one.is_fitted ? 1 : 0;
  }

  InfluenceFitErrors result(const fit::TrainingFrames& frames, std::size_t vertices) const {
    std::size_t left_out = 0;
    for (const fit::FrameSpan& part : frames.parts) left_out += part.size();
    InfluenceFitErrors errors;
    errors.frames = static_cast<std::int64_t>(frames.frame_count);
    errors.vertices_fitted = fitted_;
    errors.trained = comparison(trained_, frames.frame_count * vertices);
    if (frames.can_leave_out()) errors.left_out = comparison(left_out_, left_out * vertices);
    return errors;
  }

 private:
  struct Pair {
    fit::SquaredErrors chosen, largest;
  };

  static FitDistances distances(const fit::SquaredErrors& errors, std::size_t count) {
    return {std::sqrt(errors.sum / static_cast<double>(count)), std::sqrt(errors.greatest)};
  }
  static FitComparison comparison(const Pair& pair, std::size_t count) {
    return {distances(pair.chosen, count), distances(pair.largest, count)};
  }

  Pair trained_, left_out_;
  std::int64_t fitted_ = 0;
};

using TargetOf = std::function<void(VertexIndex v, std::vector<double>& target)>;

// `target_of`: empty where the vertex shall move as all of its influences do.
FittedInfluences fit_vertices(const Rig& rig, const fit::TrainingFrames& frames,
                              const fit::VertexFitOptions& options, const fit::Workers& workers,
                              const TargetOf& target_of) {
  constexpr std::size_t kGrain = 64;  // vertices, for which a fitter is made
  const std::size_t vertices = rig.mesh->vertex_count();
  std::vector<fit::VertexFit> fits(vertices);
  workers.run(vertices, kGrain, [&](std::size_t begin, std::size_t end) {
    fit::VertexFitter fitter(rig, frames, options);
    std::vector<double> target;
    for (std::size_t v = begin; v < end; ++v) {
      const auto index = static_cast<VertexIndex>(v);
      if (target_of) target_of(index, target);
      fits[v] = fitter.fit(index, target);
    }
  });
  FittedInfluences fitted;
  ErrorSums errors;
  for (const fit::VertexFit& one : fits) {
    fitted.influences.insert(fitted.influences.end(), one.influences.begin(), one.influences.end());
    fitted.first_influence.push_back(static_cast<std::uint32_t>(fitted.influences.size()));
    errors.add(one);
  }
  fitted.errors = errors.result(frames, vertices);
  return fitted;
}

}  // namespace

FittedInfluences fit_influences(const Rig& rig, int count, const TrainingClips& training,
                                const InfluenceFitOptions& options) {
  require_valid(count, training);
  const fit::TrainingFrames frames = fit::sample_training(rig, training);
  const fit::VertexFitOptions of_vertex{
      static_cast<std::size_t>(count), options.ridge, options.keep_largest, {}};
  return fit_vertices(rig, frames, of_vertex, {options.threads, options.cancelled}, {});
}

FittedInfluences fit::fit_to_targets(const Problem& problem, std::span<const ClipFrames> always,
                                     int count, const Workers& workers) {
  const TargetClips of = in_parts(problem, always);
  const TrainingFrames frames = training_of(of);
  const VertexFitOptions of_vertex{static_cast<std::size_t>(count),
                                   kUsualRidge,
                                   KeepLargest::kWhereNearer,
                                   {},
                                   kRounding * problem.bbox_diagonal_m};
  return fit_vertices(*problem.rig, frames, of_vertex, workers,
                      [&](VertexIndex v, std::vector<double>& target) {
                        target.resize(3 * frames.frame_count);
                        copy_targets(of, v, target.data());
                      });
}

}  // namespace skinbake
