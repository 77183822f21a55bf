// The fit of a rig, and frames of the fitted rig as a stream.

#include <algorithm>
#include <cmath>
#include <utility>

#include "fit/changed_rig.h"
#include "fit/correctives/corrective_fit.h"
#include "fit/correctives/residuals.h"
#include "fit/correctives/search.h"
#include "fit/helpers/helpers.h"
#include "fit/influences/fit_to_targets.h"
#include "fit/problem.h"
#include "fit/quantized.h"
#include "fit/training.h"
#include "skinbake/error.h"
#include "skinbake/fit.h"
#include "skinbake/frames.h"
#include "skinbake/metrics.h"

namespace skinbake {

namespace {

using fit::ArrayFrames;
using fit::Problem;

// The largest count of frames in which targets are baked: more do not fit into any limit.
constexpr std::int64_t kMostFrames = 2147483647;
constexpr int kLeastBits = 8, kMostBits = 16;
// The joints that the 16 bits of an influence in a file can name.
constexpr std::size_t kMostJoints = 65536;
// Tries with a smaller limit of the search, after roundings have exceeded the bound.
constexpr int kTries = 4;
// Without a bound, a collapse is reported where the error exceeds this part of the diagonal.
constexpr double kCollapse = 0.01;

std::string faults_of(const FitPlan& plan) {
  std::string faults;
  const auto require = [&](bool holds, const char* condition) {
    if (!holds) faults += (faults.empty() ? "" : "; ") + std::string(condition);
  };
  const bool has_mesh = plan.rig != nullptr && plan.rig->mesh && plan.rig->skeleton;
  require(has_mesh && plan.rig->skinned, "rig is null or not skinned");
  require(!plan.clips.empty(), "clips is empty");
  require(plan.max_error_m > 0, "max_error_m is not above 0");
  require(plan.correctives.value_or(0) >= 0, "correctives is negative");
  require(plan.max_correctives >= 0, "max_correctives is negative");
  require(plan.helpers >= 0, "helpers is negative");
  const int influences = plan.influences.value_or(1);
  require(influences >= 1 && influences <= kMostFittedInfluences, "influences is out of range");
  for (const Clip* clip : plan.training) require(clip != nullptr, "a clip of training is null");
  const int bits = plan.bits.value_or(kMostBits);
  require(bits >= kLeastBits && bits <= kMostBits, "bits is out of range");
  require(plan.threads >= 0, "threads is negative");
  for (const FitClip& clip : plan.clips) {
    const FrameRange& frames = clip.frames;
    require(clip.clip != nullptr, "a clip is null");
    require(is_frame_rate(frames.fps) && frames.frame_step > 0 && frames.first_frame >= 0 &&
                frames.frame_count > 0 && frames.frame_count <= kMostFrames,
            "a clip's frames are empty or invalid");
    if (clip.target == nullptr || !has_mesh) continue;
    require(clip.target->frame_count() == frames.frame_count &&
                clip.target->vertex_count() == plan.rig->mesh->vertex_count(),
            "a target has other counts of frames or vertices than its clip and the rig");
  }
  return faults;
}

// The fit of one rig: its problem and the result so far.
class Fit {
 public:
  explicit Fit(const FitPlan& plan) : plan_(plan), workers_{plan.threads, plan.cancelled} {
    problem_.rig = plan.rig;
    problem_.bbox_diagonal_m = bind_baseline(*plan.rig).bbox_diagonal_m;
    result_.changes.rig = plan.rig;
    result_.bbox_diagonal_m = problem_.bbox_diagonal_m;
    result_.limit_m = plan.max_error_m;
  }

  FitResult run() {
    compute_targets();
    result_.clips.resize(plan_.clips.size());
    measure(*plan_.rig, &FitClipResult::before);
    for (const FitClip& clip : plan_.clips) {
      ClipKeys& keys = result_.changes.clips.emplace_back();
      keys.clip = clip.clip;
      keys.frames = clip.frames;
    }
    fit_weights();
    add_helpers();
    add_correctives();
    if (plan_.normals) {
      fit::add_normals(*plan_.rig, result_.changes.morphs);
      if (plan_.bits) fit::quantize_normals(*plan_.bits, result_.changes.morphs);
    }
    measure_between();
    result_.is_met = result_.max_after_m() <= result_.limit_m;
    result_.rest_error = rest_error();
    return std::move(result_);
  }

 private:
  void step(std::string_view name, std::size_t done, std::size_t of) const {
    if (plan_.progress) plan_.progress(name, static_cast<double>(done) / static_cast<double>(of));
  }

  void compute_targets() {
    for (std::size_t i = 0; i < plan_.clips.size(); ++i) {
      step("targets", i, plan_.clips.size());
      const FitClip& clip = plan_.clips[i];
      fit::ClipFrames frames = fit::sample_clip(*plan_.rig, clip.clip, clip.frames);
      if (clip.target != nullptr) {
        frames.targets.resize(frames.frame_count() * problem_.vertex_count() * 3);
        clip.target->read(0, clip.frames.frame_count, frames.targets.data());
      } else {
        frames.targets = fit::bake_frames(plan_, clip.clip, clip.frames);
      }
      problem_.clips.push_back(std::move(frames));
    }
  }

  // Measures the rig with the changes so far, or without any.
  void measure(const Rig& rig, FitError FitClipResult::*to) {
    for (std::size_t i = 0; i < problem_.clips.size(); ++i) {
      step("measuring", i, problem_.clips.size());
      const fit::ClipFrames& frames = problem_.clips[i];
      const ArrayFrames target(frames.targets, rig.mesh->vertex_count());
      const Clip clip = result_.changes.clips.empty() ? *plan_.clips[i].clip
                                                      : fit::changed_clip(result_.changes, i);
      const PositionErrorResult error =
          fit::measure_positions(plan_, rig, clip, frames.frames, target);
      result_.clips[i].*to = fit::error_of(error, frames.frames);
      const double limit_m = std::isfinite(plan_.max_error_m)
                                 ? plan_.max_error_m
                                 : kCollapse * problem_.bbox_diagonal_m;
      result_.clips[i].collapses = fit::find_collapses(problem_, frames, error.per_vertex, limit_m);
      std::erase_if(result_.clips[i].collapses, [&](const FitCollapse& collapse) {
        return std::max(collapse.a, collapse.b) >= plan_.rig->joints.size();  // a helper
      });
      for (FitCollapse& collapse : result_.clips[i].collapses) {
        collapse.can_have_helper = fit::can_have_helper(problem_, collapse.a) ||
                                   fit::can_have_helper(problem_, collapse.b);
      }
    }
  }

  std::vector<fit::ClipFrames> training_frames() {
    FitPlan other = plan_;
    if (plan_.clips.front().target != nullptr) other.method = parse_method("lbs");
    std::vector<fit::ClipFrames> training = fit::choose_frames(*plan_.rig, plan_.training);
    for (std::size_t i = 0; i < training.size(); ++i) {
      step("training", i, training.size());
      fit::ClipFrames& frames = training[i];
      frames.targets = fit::bake_frames(other, frames.clip, frames.frames);
    }
    return training;
  }

  void fit_weights() {
    if (!plan_.influences) return;
    const std::vector<fit::ClipFrames> training = training_frames();
    step("influences", 0, 1);
    FittedInfluences fitted = fit::fit_to_targets(problem_, training, *plan_.influences, workers_);
    result_.influences = fitted.errors;
    if (may_keep_influences(fitted.errors)) {
      InfluenceFitErrors& errors = *result_.influences;
      errors.vertices_fitted = 0;
      errors.trained.fit = errors.trained.largest;
      if (errors.left_out) errors.left_out->fit = errors.left_out->largest;
      return;
    }
    result_.changes.first_influence = std::move(fitted.first_influence);
    result_.changes.influences = std::move(fitted.influences);
    if (plan_.bits) fit::quantize_influences(result_.changes);
    use_changed_rig();
  }

  // Whether no vertex has more influences than requested, and no vertex comes nearer to its target
  // by others, beyond rounding.
  bool may_keep_influences(const InfluenceFitErrors& errors) const {
    const auto most = static_cast<std::size_t>(*plan_.influences);
    for (VertexIndex v = 0; v < plan_.rig->mesh->vertex_count(); ++v) {
      if (plan_.rig->influences_of(v).size() > most) return false;
    }
    return errors.vertices_fitted == 0 ||
           errors.trained.largest.max_m <= fit::kRounding * problem_.bbox_diagonal_m;
  }

  void add_helpers() {
    const std::size_t own = plan_.rig->joints.size();
    const std::size_t most =
        std::min(static_cast<std::size_t>(plan_.helpers), kMostJoints - std::min(own, kMostJoints));
    if (most == 0) return;
    // Helpers cannot mend the rounding to float32.
    const double before_m = written_error();
    if (before_m <= fit::kRounding * problem_.bbox_diagonal_m) return;
    step("helpers", 0, 1);
    fit::HelperOptions options;
    options.most = most;
    // Without a bound all helpers are added; with a bound, the helpers that correctives would have
    // to replace.
    options.max_error_m = std::isfinite(plan_.max_error_m) ? plan_.max_error_m : 0;
    if (plan_.influences) options.influences = static_cast<std::size_t>(*plan_.influences);
    const fit::HelperFit helpers = fit::fit_helpers(problem_, options, workers_);
    if (helpers.helpers.empty()) return;
    RigChanges without = result_.changes;
    fit::add_helper_joints(problem_, helpers, plan_.name + ".helper", result_.changes);
    if (plan_.bits) fit::quantize_influences(result_.changes);
    use_changed_rig();
    // The search compares errors in double; written numbers are rounded.
    if (written_error() < before_m) return;
    result_.changes = std::move(without);
    use_changed_rig();
  }

  // The largest error of the rig with the changes so far, in the numbers that are written.
  double written_error() {
    measure(fit::changed_rig(result_.changes), &FitClipResult::after);
    return result_.max_after_m();
  }

  // Continues from the rig with the changes so far, as a program reads it.
  void use_changed_rig() {
    changed_rig_ = fit::changed_rig(result_.changes);
    problem_.rig = &changed_rig_;
    for (std::size_t i = 0; i < problem_.clips.size(); ++i) {
      fit::ClipFrames& frames = problem_.clips[i];
      const Clip clip = fit::changed_clip(result_.changes, i);
      std::vector<float> targets = std::move(frames.targets);
      frames = fit::sample_clip(changed_rig_, &clip, frames.frames);
      frames.clip = plan_.clips[i].clip;
      frames.targets = std::move(targets);
    }
  }

  void add_correctives() {
    const auto most = static_cast<std::size_t>(plan_.correctives.value_or(plan_.max_correctives));
    result_.corrective_frames =
        static_cast<std::int64_t>(fit::basis_frames(problem_.frame_count()));
    step("basis", 0, 1);
    fit::CorrectiveFit correctives(problem_, most, workers_);
    step("correctives", 0, 1);
    if (plan_.correctives) {
      set_correctives(correctives.with_count(most, plan_.name));
    } else {
      keep_bound(most, correctives);
    }
  }

  // The search does not know that the bake rounds positions to float32, and what quantisation
  // rounds: its limit falls below the bound where the result exceeds the bound.
  void keep_bound(std::size_t most, fit::CorrectiveFit& correctives) {
    const double bound_m = plan_.max_error_m;
    const double rounding_m = fit::kRounding * problem_.bbox_diagonal_m;
    double limit_m = bound_m;
    for (int tries = 0; tries < kTries; ++tries) {
      set_correctives(correctives.within(limit_m, plan_.name));
      const double excess_m = result_.max_after_m() - bound_m;
      if (excess_m <= 0 || result_.changes.morphs.targets.size() >= most) return;
      limit_m = std::max(limit_m - std::max(2 * excess_m, rounding_m), limit_m / 2);
    }
  }

  // Measures the rig with them.
  void set_correctives(fit::CorrectiveSearch::Result correctives) {
    if (plan_.bits) {
      fit::quantize_correctives(plan_.rig->mesh->positions, *plan_.bits, correctives);
    }
    RigChanges& changes = result_.changes;
    const std::size_t width = correctives.morphs.targets.size();
    changes.morphs = std::move(correctives.morphs);
    auto keys = correctives.keys.begin();
    for (ClipKeys& of_clip : changes.clips) {
      of_clip.morph_times.clear(), of_clip.morph_weights.clear();
      if (width == 0) continue;
      const auto end = keys + of_clip.frames.frame_count * static_cast<std::ptrdiff_t>(width);
      fit::merge_weights(*plan_.rig, {keys, end}, width, of_clip);
      keys = end;
    }
    measure(fit::changed_rig(changes), &FitClipResult::after);
  }

  void measure_between() {
    const Rig changed = fit::changed_rig(result_.changes);
    for (std::size_t i = 0; i < plan_.clips.size(); ++i) {
      const FitClip& of = plan_.clips[i];
      if (of.target != nullptr) continue;
      step("in-between frames", i, plan_.clips.size());
      const Clip clip = fit::changed_clip(result_.changes, i);
      for (const FrameRange& instants : fit::instants_between(*of.clip, of.frames)) {
        const std::vector<float> positions = fit::bake_frames(plan_, of.clip, instants);
        const ArrayFrames target(positions, changed.mesh->vertex_count());
        keep_worse(fit::measure_error(plan_, *plan_.rig, *of.clip, instants, target), instants,
                   result_.clips[i].between_before);
        keep_worse(fit::measure_error(plan_, changed, clip, instants, target), instants,
                   result_.clips[i].between_after);
      }
    }
  }

  static void keep_worse(FitError error, const FrameRange& instants,
                         std::optional<FitError>& worst) {
    error.time_s = static_cast<double>(error.frame) / instants.fps;
    if (!worst || error.max_m > worst->max_m) worst = error;
  }

  double rest_error() const {
    const AddedMorphs& morphs = result_.changes.morphs;
    const std::vector<float>& own = plan_.rig->mesh->positions;
    double largest2 = 0;
    for (std::size_t v = 0; v < morphs.base_positions.size(); v += 3) {
      double square = 0;
      for (std::size_t i = v; i < v + 3; ++i) {
        double rest = morphs.base_positions[i];
        for (std::size_t m = 0; m < morphs.targets.size(); ++m) {
          rest += double{morphs.rest_weights[m]} * double{morphs.targets[m].positions[i]};
        }
        square += (rest - own[i]) * (rest - own[i]);
      }
      largest2 = std::max(largest2, square);
    }
    return std::sqrt(largest2);
  }

  const FitPlan& plan_;
  fit::Workers workers_;
  Problem problem_;
  Rig changed_rig_;  // of the problem, if weights or helpers changed it
  FitResult result_;
};

double largest(const std::vector<FitClipResult>& clips, FitError FitClipResult::*error) {
  double max = 0;
  for (const FitClipResult& clip : clips) max = std::max(max, (clip.*error).max_m);
  return max;
}

}  // namespace

double FitResult::max_before_m() const {
  return largest(clips, &FitClipResult::before);
}
double FitResult::max_after_m() const {
  return largest(clips, &FitClipResult::after);
}

void validate(const FitPlan& plan) {
  if (plan.rig != nullptr) require_read(*plan.rig);
  for (const FitClip& of : plan.clips) {
    if (of.clip != nullptr) require_read(*of.clip);
  }
  const std::string faults = faults_of(plan);
  if (!faults.empty()) throw Error("PLAN_INVALID", "the plan of a fit: " + faults);
}

std::vector<FitError> measure_fit(const FitPlan& plan, const Rig& rig,
                                  std::span<const Clip> clips) {
  validate(plan);
  std::vector<FitError> errors;
  for (std::size_t i = 0; i < plan.clips.size(); ++i) {
    const FitClip& of = plan.clips[i];
    if (of.target != nullptr) {
      errors.push_back(fit::measure_error(plan, rig, clips[i], of.frames, *of.target));
      continue;
    }
    const std::vector<float> positions = fit::bake_frames(plan, of.clip, of.frames);
    const ArrayFrames target(positions, rig.mesh->vertex_count());
    errors.push_back(fit::measure_error(plan, rig, clips[i], of.frames, target));
  }
  return errors;
}

std::vector<LeftOutErrors> measure_left_out(const FitPlan& plan, const RigChanges& changes,
                                            std::span<const FitClip> clips) {
  validate(plan);
  const bool has_frames = plan.clips.front().target != nullptr;
  FitPlan other = plan;
  if (has_frames) other.method = parse_method("lbs");
  const Rig changed = fit::changed_rig(changes);
  std::vector<LeftOutErrors> errors;
  for (const FitClip& of : clips) {
    const std::vector<float> positions = fit::bake_frames(other, of.clip, of.frames);
    const ArrayFrames target(positions, changed.mesh->vertex_count());
    errors.push_back({fit::measure_error(other, *plan.rig, *of.clip, of.frames, target),
                      fit::measure_error(other, changed, *of.clip, of.frames, target)});
  }
  return errors;
}

FitResult fit_rig(const FitPlan& plan) {
  validate(plan);
  return Fit(plan).run();
}

namespace {

void stream_linear(const FitPlan& plan, const Rig& rig, const Clip& clip, const FitClip& of,
                   const FrameSource& target, const std::vector<FrameSink*>& sinks) {
  BakePlan bake = fit::bake_plan(plan, rig, &clip, of.frames);
  bake.runs = {{parse_method("lbs"), sinks}};
  bake.reference = {Reference::Kind::kFrames, {}, &target};
  skinbake::bake(bake);
}

}  // namespace

void stream_fit(const FitPlan& plan, const RigChanges& changes, std::size_t clip,
                const FitSinks& sinks) {
  validate(plan);
  const FitClip& of = plan.clips[clip];
  std::vector<float> positions;
  if (of.target == nullptr) positions = fit::bake_frames(plan, of.clip, of.frames);
  const fit::ArrayFrames baked(positions, plan.rig->mesh->vertex_count());
  const FrameSource& target = of.target == nullptr ? baked : *of.target;
  stream_linear(plan, *plan.rig, *of.clip, of, target, sinks.before);
  stream_linear(plan, fit::changed_rig(changes), fit::changed_clip(changes, clip), of, target,
                sinks.after);
  stream_frames({&target, &target, sinks.target, plan.threads, {}, plan.cancelled});
}

}  // namespace skinbake
