// The sections that a command or an option adds: `verification`, `changes`, `explain`
// and `recommendation`.

#include <array>

#include "report/recommendation.h"
#include "report/write/sections.h"

namespace skinbake {
namespace {

// "at" of a largest difference; null if there is no difference.
void write_largest_at(const std::optional<std::int64_t>& frame, VertexIndex vertex, double fps,
                      JsonWriter& json) {
  json.key("at");
  if (!frame) {
    json.null();
    return;
  }
  json.begin_object().key("frame").value(*frame);
  json.key("time_s").value(static_cast<double>(*frame) / fps);
  json.key("vertex").value(vertex).end_object();
}

void write_directions(const char* key,
                      const std::optional<VerificationRecord::Directions>& directions, double fps,
                      JsonWriter& json) {
  if (!directions) return;
  json.key(key).begin_object();
  json.key("max").value(directions->max).key("bound").value(directions->bound);
  write_largest_at(directions->frame, directions->vertex, fps, json);
  json.end_object();
}

// A changed value: a description or JSON in a string; null if the report does not have the value.
void write_changed_value(std::string_view key, const std::string& text, JsonWriter& json) {
  json.key(key);
  text.empty() ? json.null() : json.value(text);
}

void write_influences(const std::vector<ExplainedInfluence>& influences, JsonWriter& json) {
  json.key("influences").begin_array();
  for (const ExplainedInfluence& influence : influences) {
    json.begin_line_object();
    json.key("joint").value(influence.name).key("joint_index").value(influence.joint);
    json.key("weight").value(influence.weight).key("angle_rad").value(influence.angle_rad);
    json.key("flipped").value(influence.flipped).key("scale").value(influence.scale);
    json.key("mirrored").value(influence.mirrored);
    json.end_object();
  }
  json.end_array();
}

void write_widest(const Explanation& explanation, JsonWriter& json) {
  json.key("widest");
  if (!explanation.widest) {
    json.null();
    return;
  }
  const JointPair& pair = *explanation.widest;
  json.begin_line_object();
  const std::array joints{explanation.influences[pair.first].name,
                          explanation.influences[pair.second].name};
  json.key("joints").strings(joints);
  json.key("angle_rad").value(pair.angle_rad);
  json.end_object();
}

void write_limits(const std::vector<RecommendLimit>& limits, JsonWriter& json) {
  json.key("limits").begin_line_array();
  for (const RecommendLimit& limit : limits) {
    json.begin_object();
    json.key("option").value(limit.option).key("metric").value(limit.metric);
    json.key("limit").value(limit.limit).key("unit").value(to_string(limit.unit));
    json.end_object();
  }
  json.end_array();
}

void write_worst(const std::optional<WorstValue>& worst, JsonWriter& json) {
  json.begin_object().key("value");
  worst ? json.value(worst->value) : json.null();
  if (worst && !worst->mesh.empty()) {
    if (!worst->character.empty()) json.key("character").value(worst->character);
    json.key("mesh").value(worst->mesh);
    write_name("clip", worst->clip, json);
    if (worst->frame) json.key("frame").value(*worst->frame);
    if (worst->vertex) json.key("vertex").value(*worst->vertex);
    if (worst->triangle) json.key("triangle").value(*worst->triangle);
    if (!worst->joint.empty()) json.key("joint").value(worst->joint);
    write_pose(worst->pose, json);
  }
  json.end_object();
}

}  // namespace

void write_verification(const Report& report, JsonWriter& json) {
  const double fps = report.settings.fps;
  json.key("verification").begin_array();
  for (const VerificationRecord& record : report.verification) {
    json.begin_line_object();
    json.key("path").value(record.path).key("format").value(record.format);
    json.key("mesh").value(record.mesh);
    write_name("clip", record.clip, json);
    json.key("method").value(record.method);
    json.key("max_m").value(record.max_m).key("bound_m").value(record.bound_m);
    json.key("passed").value(record.passed);
    write_largest_at(record.frame, record.vertex, fps, json);
    write_directions("normals", record.normals, fps, json);
    write_directions("tangents", record.tangents, fps, json);
    json.end_object();
  }
  json.end_array();
}

void write_changes(const ReportChanges& changes, JsonWriter& json) {
  json.key("changes").begin_object();
  json.key("compared").value(changes.compared).same_line().key("count").value(changes.count);
  json.key("values").begin_array();
  for (const Change& change : changes.changes) {
    json.begin_line_object();
    json.key("pointer").value(change.pointer);
    write_changed_value("a", change.a, json);
    write_changed_value("b", change.b, json);
    json.end_object();
  }
  json.end_array();
  json.key("measurements").begin_array();
  for (const MeasurementChange& change : changes.measurements) {
    json.begin_line_object().key("mesh").value(change.mesh);
    write_name("clip", change.clip, json);
    write_name("method", change.method, json);
    json.key("metric").value(change.metric).key("a").value(change.a).key("b").value(change.b);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

namespace {

void write_unpaired(std::string_view key, const std::vector<UnpairedElement>& elements,
                    JsonWriter& json) {
  json.key(key).begin_array();
  for (const UnpairedElement& element : elements) {
    json.begin_line_object().key("kind").value(element.kind);
    write_name("file", element.file, json);
    write_name("name", element.name, json);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void write_library(const LibraryRecord& library, JsonWriter& json) {
  json.key("library").begin_object();
  json.key("files").value(library.files);
  json.same_line().key("missing_fails").value(library.missing_fails);
  write_unpaired("only_a", library.only_a, json);
  write_unpaired("only_b", library.only_b, json);
  json.key("failed").begin_array();
  for (const FailedPair& pair : library.failed) {
    json.begin_line_object();
    write_name("name", pair.name, json);
    write_name("clip", pair.clip, json);
    json.key("code").value(pair.code).key("message").value(pair.message).end_object();
  }
  json.end_array();
  if (!library.renamed.empty()) {
    json.key("renamed").begin_array();
    for (const RenamedElement& element : library.renamed) {
      json.begin_line_object().key("kind").value(element.kind);
      write_name("file", element.file, json);
      json.key("a").value(element.a).key("b").value(element.b).end_object();
    }
    json.end_array();
  }
  json.end_object();
}

void write_rig_data(const std::vector<RigDataDifference>& differences, JsonWriter& json) {
  json.key("rig_data").begin_array();
  for (const RigDataDifference& difference : differences) {
    json.begin_line_object();
    write_name("file", difference.file, json);
    json.key("kind").value(difference.kind);
    write_name("name", difference.name, json);
    json.key("difference").value(difference.difference).end_object();
  }
  json.end_array();
}

void write_explanations(const std::vector<Explanation>& explanations, JsonWriter& json) {
  json.key("explain").begin_array();
  for (const Explanation& explanation : explanations) {
    json.begin_object();
    json.key("mesh").value(explanation.mesh);
    json.same_line();
    write_name("clip", explanation.clip, json);
    json.same_line();
    write_name("method", explanation.method, json);
    json.same_line().key("reference").value(explanation.reference);
    json.key("vertex").value(explanation.vertex);
    if (!explanation.copies.empty()) {
      json.same_line().key("copies").begin_line_array();
      for (const VertexIndex copy : explanation.copies) json.value(copy);
      json.end_array();
    }
    json.same_line().key("primitive").value(explanation.primitive);
    json.same_line().key("primitive_vertex").value(explanation.primitive_vertex);
    json.same_line().key("frame").value(explanation.frame);
    json.same_line().key("time_s").value(explanation.time_s);
    write_pose(explanation.pose, json);
    json.same_line().key("error_m").value(explanation.error_m);
    write_influences(explanation.influences, json);
    write_widest(explanation, json);
    json.key("cause").value(explanation.cause);
    json.end_object();
  }
  json.end_array();
}

void write_recommendation(const Recommendation& recommendation, JsonWriter& json) {
  json.key("recommendation").begin_object();
  write_name("method", recommendation.method.value_or(""), json);
  if (const auto& nearest = recommendation.nearest) {
    json.key("nearest").begin_line_object().key("method").value(nearest->method);
    json.key("metric").value(recommendation.limits[nearest->limit].metric);
    json.key("worst");
    write_worst(nearest->worst, json);
    json.end_object();
  }
  if (!recommendation.unmeasured.empty()) {
    json.key("unmeasured").begin_line_array();
    for (const std::size_t l : recommendation.unmeasured) {
      json.value(recommendation.limits[l].metric);
    }
    json.end_array();
  }
  write_limits(recommendation.limits, json);
  json.key("costs_measured_on").value(costs_measured_on());
  json.key("candidates").begin_array();
  for (const Candidate& candidate : recommendation.candidates) {
    json.begin_line_object();
    json.key("method").value(candidate.method).key("cost").value(candidate.cost);
    json.key("within").value(candidate.within).key("pareto").value(candidate.pareto);
    json.key("values").begin_line_array();
    for (const auto& value : candidate.values) write_worst(value, json);
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace skinbake
