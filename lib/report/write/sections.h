// Sections of the JSON report.

#pragma once

#include <string_view>

#include "json/json_writer.h"
#include "report/report.h"

namespace skinbake {

// A run and the parts of the report that its sections refer to.
struct RunContext {
  const Rig& rig;
  const RunRecord& run;
  PerVertex per_vertex;
};

// ---- Meshes and runs

void write_mesh(const MeshRecord& mesh, PerVertex per_vertex, JsonWriter& json);
void write_body(const BodyRecord& body, JsonWriter& json);
void write_error(const RunContext& context, const PositionErrorResult& error, JsonWriter& json);
void write_volume(const RunContext& context, const VolumeResult& volume, JsonWriter& json);
void write_difference(const RunContext& context, const Difference& difference, JsonWriter& json);

// The distances of fitted influences.
void write_influence_fit(std::string_view key, const InfluenceFitErrors& fit, JsonWriter& json);

// Any other metric: keys and values as the metric gives them.
void write_metric(const RunContext& context, const MetricResult& result, JsonWriter& json);

// ---- Sections that a command or an option adds

void write_issues(const Issues& issues, JsonWriter& json);
void write_verification(const Report& report, JsonWriter& json);
void write_changes(const ReportChanges& changes, JsonWriter& json);
void write_library(const LibraryRecord& library, JsonWriter& json);
void write_rig_data(const std::vector<RigDataDifference>& differences, JsonWriter& json);
void write_explanations(const std::vector<Explanation>& explanations, JsonWriter& json);
void write_recommendation(const Recommendation& recommendation, JsonWriter& json);

// ---- Values

// A name; null if it is empty.
void write_name(std::string_view key, std::string_view name, JsonWriter& json);

// "pose", on the current line; nothing if the name is empty.
void write_pose(const std::string& name, JsonWriter& json);

// {"frame", "time_s"} and, where the place has one, "vertex", "triangle" or "edge", and "pose";
// null without a frame.
void write_place(std::string_view key, const NamedFrames& frames, const Place& place,
                 JsonWriter& json);

}  // namespace skinbake
