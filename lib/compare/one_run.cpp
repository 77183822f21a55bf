// The calls of one rig, one clip and one method whose results are a file or measurements.

#include <algorithm>
#include <cmath>
#include <utility>

#include "bake/one_run.h"
#include "base/issue.h"
#include "base/nearest_word.h"
#include "base/output_file.h"
#include "caches/format_list.h"
#include "clip/sampling/node_sampler.h"
#include "gltf/write/baked_document.h"
#include "skinbake/caches.h"
#include "skinbake/compare.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

Issue normals_issue(const std::string& pointer, const Method& method, bool are_recomputed,
                    NormalKind wanted) {
  if (are_recomputed) {
    return make_issue("NORMALS_RECOMPUTED", "", pointer,
                      "'" + std::string(method.info().id) +
                          "' does not support normals; caches store the posed triangles' normals");
  }
  return make_issue("NORMALS_UNAVAILABLE", "", pointer,
                    wanted == NormalKind::kSkinned
                        ? "the mesh does not have normals; caches do not store them"
                        : "the mesh does not have triangles to compute normals from");
}

Issue tangents_issue(const std::string& pointer, const Method& method, bool has_mesh_tangents) {
  return make_issue("TANGENTS_UNAVAILABLE", "", pointer,
                    has_mesh_tangents
                        ? "'" + std::string(method.info().id) +
                              "' does not support tangents; caches do not store them"
                        : "the mesh does not have tangents; caches do not store them");
}

}  // namespace

Issues vector_issues(const CacheFormat& format, const CacheHeader& header, const Method& method,
                     NormalKind wanted) {
  Issues issues;
  if (format.keeps_normals == nullptr || !format.keeps_normals(header.options)) return issues;
  const std::string pointer = "/nodes/" + std::to_string(header.rig->node);
  if (header.normals != wanted) {
    issues.push_back(normals_issue(pointer, method, header.normals.has_value(), wanted));
  }
  const bool keeps_tangents =
      format.keeps_tangents != nullptr && format.keeps_tangents(header.options);
  if (keeps_tangents && !header.tangents) {
    const bool has_some = header.normals && !header.rig->mesh->tangents.empty();
    issues.push_back(tangents_issue(pointer, method, has_some));
  }
  return issues;
}

namespace {

// [target] Whether the target changes the mesh in one of the frames.
std::vector<bool> active_targets(const Rig& rig, const Clip* clip, const FrameRange& frames) {
  const MorphSampler sampler(rig, clip);
  std::vector<bool> is_active(rig.mesh->morph_targets.size());
  std::vector<double> weights;
  for (std::int64_t k = 0; k < frames.frame_count; ++k) {
    sampler.sample(frames.sample_time_s(k), weights);
    for (std::size_t t = 0; t < weights.size(); ++t) {
      if (weights[t] != 0) is_active[t] = true;
    }
  }
  return is_active;
}

}  // namespace

Issues appearance_issues(const CacheFormat& format, const CacheHeader& header, const Clip* clip) {
  if (!format.keeps_materials || !header.appearance) return {};
  constexpr std::size_t kNamesShown = 4;
  const int mesh = header.appearance->mesh_of(header.rig->node);
  std::vector<bool> is_active;
  std::vector<std::string> names;
  const MorphedAttribute* first = nullptr;
  std::int64_t count = 0;
  for (const MorphedAttribute& morphed : header.appearance->morphed) {
    if (morphed.mesh != mesh) continue;
    if (!format.keeps_colours && morphed.name.starts_with("COLOR_")) continue;
    if (is_active.empty()) is_active = active_targets(*header.rig, clip, header.frames);
    if (!is_active[morphed.target]) continue;
    if (++count == 1) first = &morphed;
    const bool is_new = std::find(names.begin(), names.end(), morphed.name) == names.end();
    if (is_new && names.size() < kNamesShown) names.push_back(morphed.name);
  }
  if (first == nullptr) return {};
  std::string listed;
  for (const std::string& name : names) listed += (listed.empty() ? "" : ", ") + name;
  return {make_issue(
      "MORPHED_ATTRIBUTE_KEPT", "",
      "/meshes/" + std::to_string(mesh) + "/primitives/" + std::to_string(first->primitive) +
          "/targets/" + std::to_string(first->target) + "/" + first->name,
      "morph targets of mesh '" + header.rig->id + "' change " + listed + " (the first is target " +
          std::to_string(first->target) + " of primitive " + std::to_string(first->primitive) +
          "); the baked file has the values without the targets",
      count)};
}

namespace {

void require_usable(const CacheAxes& axes) {
  const bool is_known = axes.up == CacheAxes::Up::kY || axes.up == CacheAxes::Up::kZ;
  if (is_known && std::isfinite(axes.scale) && axes.scale > 0) return;
  throw Error("AXES_INVALID",
              "axes have a scale of " + std::to_string(axes.scale) +
                  "; it must be finite and above 0, and `up` must be an enumerator");
}

CacheHeader header_of(const BakePlan& plan, const CacheSettings& settings) {
  const Method& method = plan.runs.front().method;
  CacheHeader header;
  header.rig = plan.rig;
  header.clip = plan.clip == nullptr ? "" : plan.clip->id;
  header.frames = plan.frames;
  header.space = plan.space;
  header.method = method.canonical();
  header.method_on_mesh = name_on_mesh(method, *plan.rig);
  header.inputs = settings.inputs;
  header.modifiers = settings.modifiers;
  header.axes = settings.axes;
  header.appearance = settings.appearance;
  header.options = settings.options;
  header.normals = available_normals(*plan.rig->mesh, method, settings.normals);
  header.tangents = header.normals && available_tangents(*plan.rig->mesh, method);
  header.cancelled = plan.cancelled;
  if (plan.clip != nullptr) {
    header.clip_frame_count = last_frame(plan.clip->duration_s, plan.frames.fps) + 1;
  }
  return header;
}

void report_issues(const std::string& path, const CacheHeader& header, const BakePlan& plan,
                   NormalKind wanted) {
  const std::function<void(const Issue&)>& found = plan.found;
  const Method& method = plan.runs.front().method;
  const CacheFormat& format = cache_format_of(path);
  if (!found) return;
  for (const Issue& issue : vector_issues(format, header, method, wanted)) found(issue);
  for (const Issue& issue : appearance_issues(format, header, plan.clip)) found(issue);
  if (format.find_issues == nullptr) return;
  for (const Issue& issue : format.find_issues(path, {&header, 1})) found(issue);
}

}  // namespace

BakedFile bake_to_file(const OneRun& run, const std::string& path, const CacheSettings& cache) {
  const CacheFormat& format = cache_format_of(path);
  BakePlan plan = plan_one_run(run);
  require_usable(cache.axes);
  require_no_input({path, path + ".json"}, named_inputs(cache.files, cache.inputs));
  const FormatOptions checked(format.id, format.options, cache.options);
  const CacheHeader header = header_of(plan, cache);
  const std::unique_ptr<CacheWriter> writer = format.open(path, header);
  report_issues(path, header, plan, cache.normals);
  plan.runs.front().sinks = {writer.get()};
  bake(plan);
  if (cache.sync) writer->sync();
  writer->commit();
  return {path, path + ".json", writer->bytes(), writer->xxh128(), writer->bound_m()};
}

namespace {

void require_known(const std::vector<std::string>& ids, const std::vector<MetricInfo>& known) {
  std::string there_are;
  std::vector<std::string> names;
  for (const MetricInfo& metric : known) {
    names.emplace_back(metric.id);
    there_are += (there_are.empty() ? "" : ", ") + std::string(metric.id);
  }
  for (const std::string& id : ids) {
    const bool is_known = std::any_of(known.begin(), known.end(),
                                      [&](const MetricInfo& metric) { return metric.id == id; });
    if (is_known) continue;
    throw Error("METRIC_UNKNOWN", "there is no metric '" + id + "'; there are " + there_are +
                                      did_you_mean(id, names));
  }
}

// The metrics of one measurement, created from their ids.
class Metrics {
 public:
  Metrics(const BakePlan& plan, const std::vector<std::string>& ids)
      : baseline_(bind_baseline(*plan.rig)) {
    const std::vector<MetricInfo> known = metrics();
    require_known(ids, known);
    const bool has_triangles = !plan.rig->mesh->triangles.empty();
    for (const MetricInfo& metric : known) {
      if (std::find(ids.begin(), ids.end(), metric.id) == ids.end()) continue;
      if (metric.needs_triangles && !has_triangles) continue;
      if (metric.needs_triangles && !topology_) topology_ = build_topology(*plan.rig, baseline_);
      add(metric, plan);
    }
  }

  bool needs_reference() const { return error_ != nullptr; }

  std::vector<FrameSink*> sinks() const {
    std::vector<FrameSink*> sinks;
    if (error_) sinks.push_back(error_.get());
    if (volume_) sinks.push_back(volume_.get());
    for (const std::unique_ptr<Metric>& metric : others_) {
      if (!metric->needs_other_frames()) sinks.push_back(metric.get());
    }
    return sinks;
  }

  // Bakes the frame ranges that metrics request beyond the frames of the measurement
  // (Metric::next_frames).
  void bake_other_frames(BakePlan plan) const {
    plan.reference = {};
    plan.progress = {};
    for (const std::unique_ptr<Metric>& metric : others_) {
      if (!metric->needs_other_frames()) continue;
      plan.runs.front().sinks = {metric.get()};
      while (const std::optional<FrameRange> frames = metric->next_frames()) {
        plan.frames = *frames;
        bake(plan);
      }
    }
  }

  Measurement results(const FrameRange& frames) const {
    Measurement all{frames, baseline_.bbox_diagonal_m};
    all.issues = baseline_.issues;
    if (error_) all.error = error_->result();
    if (volume_) {
      all.volume = volume_->result();
      append(all.volume->issues, all.issues);
    }
    for (const std::unique_ptr<Metric>& metric : others_) {
      append(all.others.emplace_back(metric->result()).issues, all.issues);
    }
    all.issues = sorted_unique(std::move(all.issues));
    return all;
  }

 private:
  void add(const MetricInfo& metric, const BakePlan& plan) {
    const auto topology = [this]() -> const Topology& { return *topology_; };
    if (metric.id == "error") {
      error_ = measure_position_error(*plan.rig, plan.frames, baseline_.bbox_diagonal_m);
    } else if (metric.id == "volume") {
      volume_ = measure_volume(*plan.rig, *topology_, plan.frames);
    } else {
      others_.push_back(
          metric.make({plan.rig, plan.clip, plan.frames, plan.space, &baseline_, topology}));
    }
  }

  static void append(const Issues& some, Issues& all) {
    all.insert(all.end(), some.begin(), some.end());
  }

  BaselinePose baseline_;
  std::optional<Topology> topology_;
  std::unique_ptr<PositionErrorMetric> error_;
  std::unique_ptr<VolumeMetric> volume_;
  std::vector<std::unique_ptr<Metric>> others_;
};

}  // namespace

std::unique_ptr<PositionErrorMetric> measure_position_error(const Rig& rig, FrameRange frames,
                                                            ErrorOptions options) {
  return measure_position_error(rig, frames, bind_baseline(rig).bbox_diagonal_m,
                                std::move(options));
}

Measurement measure(const OneRun& run, const Reference& reference,
                    const std::vector<std::string>& metrics) {
  BakePlan plan = plan_one_run(run);
  const Metrics chosen(plan, metrics);
  if (chosen.needs_reference()) {
    if (reference.kind == Reference::Kind::kNone) {
      throw Error("REFERENCE_MISSING",
                  "the metric 'error' compares with a reference, and none was given");
    }
    plan.reference = reference;
  }
  plan.runs.front().sinks = chosen.sinks();
  bake(plan);
  chosen.bake_other_frames(plan);
  return chosen.results(run.frames);
}

}  // namespace skinbake
