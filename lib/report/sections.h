// Parts of the report that have a file of their own.

#pragma once

#include <string>
#include <string_view>

#include "json/json_writer.h"
#include "skinbake/report.h"

namespace skinbake {

// What a run's sections need to know of its surroundings.
struct RunContext {
  const Rig& rig;
  const RunRecord& run;
  PerVertex per_vertex;
};

void write_mesh(const MeshRecord& mesh, PerVertex per_vertex, JsonWriter& json);
void write_topology(const Topology& topology, JsonWriter& json);
void write_error(const RunContext& context, const PositionErrorResult& error, JsonWriter& json);
void write_volume(const RunContext& context, const VolumeResult& volume, JsonWriter& json);
void write_metric(const RunContext& context, const MetricResult& result, JsonWriter& json);

// A joint's name; joints without one are called after their node.
std::string joint_name(const Rig& rig, JointIndex joint);
void write_difference(const RunContext& context, const Difference& difference, JsonWriter& json);
void write_self_test(const std::vector<SelfTestRecord>& tests, JsonWriter& json);
void write_changes(const ReportChanges& changes, JsonWriter& json);
void write_explanations(const std::vector<Explanation>& explanations, JsonWriter& json);
void write_recommendation(const Recommendation& recommendation, JsonWriter& json);

// A name, or null if it is empty.
void write_name(std::string_view key, std::string_view name, JsonWriter& json);

// {"frame", "time_s"} and, if there is one, "vertex", "triangle" or "edge"; null if it is nowhere.
void write_place(std::string_view key, const FrameRange& frames, const Place& place,
                 JsonWriter& json);

}  // namespace skinbake
