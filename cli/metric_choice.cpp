#include "metric_choice.h"

#include <algorithm>

#include "choices.h"

namespace skinbake::cli {

namespace {

constexpr const char* kAll = "all";

}  // namespace

void add_metrics_option(CLI::App& command, std::vector<std::string>& chosen) {
  chosen = kUsualMetrics;
  std::vector<std::string> names;
  for (const MetricInfo& metric : metrics()) names.emplace_back(metric.id);
  names.emplace_back(kAll);
  CLI::IsMember known(names);
  known.description("");  // the list is too long for the help
  command.add_option("--metrics", chosen, "Metrics to measure (skinbake list metrics), or 'all'")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(known)
      ->type_name("NAME,…")
      ->default_str("error,volume");
}

void add_in_between_option(CLI::App& command, std::optional<double>& limit_m) {
  command
      .add_option("--in-between-limit", limit_m,
                  "Also measure in_between, and find the lowest usual rate whose error between "
                  "frames is below this")
      ->check(positive)
      ->type_name("METRES");
}

void add_per_vertex_option(CLI::App& command, PerVertex& per_vertex) {
  add_choice<PerVertex>(
      command, "--per-vertex", per_vertex,
      {{"json", PerVertex::kJson}, {"npy", PerVertex::kNpy}, {"none", PerVertex::kNone}},
      "Per-vertex errors in the report; npy: in files beside it",
      per_vertex == PerVertex::kJson ? "json" : "none");
}

void add_error_matrix_option(CLI::App& command, std::string& path, const std::string& more) {
  const auto an_npy_file = [](const std::string& typed) {
    return typed.ends_with(".npy") ? std::string() : std::string("must be a .npy file");
  };
  command
      .add_option("--error-matrix", path,
                  "Every error, in metres, as a NumPy array (frames, vertices)" + more)
      ->check(an_npy_file)
      ->type_name("FILE.npy");
}

bool is_chosen(const std::vector<std::string>& chosen, std::string_view metric) {
  return std::any_of(chosen.begin(), chosen.end(),
                     [&](const std::string& name) { return name == metric || name == kAll; });
}

std::vector<std::string> metric_setting(const std::vector<std::string>& chosen) {
  std::vector<std::string> setting;
  for (const MetricInfo& metric : metrics()) {
    if (is_chosen(chosen, metric.id)) setting.emplace_back(metric.id);
  }
  return setting == kUsualMetrics ? std::vector<std::string>{} : setting;
}

ChosenMetrics::ChosenMetrics(const std::vector<std::string>& chosen, const MetricInput& input) {
  const bool has_triangles = !input.rig->mesh->triangles.empty();
  for (const MetricInfo& metric : metrics()) {
    if (metric.make == nullptr || !is_chosen(chosen, metric.id)) continue;
    if (has_triangles || !metric.needs_triangles) metrics_.push_back(metric.make(input));
  }
}

void ChosenMetrics::add_sinks(MethodRun& run) const {
  for (const auto& metric : metrics_) {
    if (!metric->needs_other_frames()) run.sinks.push_back(metric.get());
  }
}

void ChosenMetrics::bake_other_frames(BakePlan plan) {
  for (const auto& metric : metrics_) {
    if (!metric->needs_other_frames()) continue;
    plan.runs.front().sinks = {metric.get()};
    while (const auto frames = metric->next_frames()) {
      plan.frames = *frames;
      bake(plan);
    }
  }
}

std::vector<MetricResult> ChosenMetrics::results() const {
  std::vector<MetricResult> results;
  for (const auto& metric : metrics_) results.push_back(metric->result());
  return results;
}

}  // namespace skinbake::cli
