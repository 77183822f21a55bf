// `recommendation` of the report.

#include "report/sections.h"
#include "skinbake/recommendation.h"

namespace skinbake {
namespace {

void write_limits(const std::vector<RecommendLimit>& limits, JsonWriter& json) {
  json.key("limits").begin_line_array();
  for (const RecommendLimit& limit : limits) {
    json.begin_object();
    json.key("option").value(limit.option).key("metric").value(limit.metric);
    json.key("limit").value(limit.limit).key("unit").value(limit.unit);
    json.end_object();
  }
  json.end_array();
}

void write_value(const std::optional<WorstValue>& worst, JsonWriter& json) {
  json.begin_object().key("value");
  worst ? json.value(worst->value) : json.null();
  if (worst && !worst->mesh.empty()) {
    json.key("mesh").value(worst->mesh);
    write_name("clip", worst->clip, json);
    if (worst->frame) json.key("frame").value(*worst->frame);
    if (worst->vertex) json.key("vertex").value(*worst->vertex);
  }
  json.end_object();
}

}  // namespace

void write_recommendation(const Recommendation& recommendation, JsonWriter& json) {
  json.key("recommendation").begin_object();
  write_name("method", recommendation.method.value_or(""), json);
  write_limits(recommendation.limits, json);
  json.key("costs_measured_on").value(costs_measured_on());
  json.key("candidates").begin_array();
  for (const Candidate& candidate : recommendation.candidates) {
    json.begin_line_object();
    json.key("method").value(candidate.method).key("cost").value(candidate.cost);
    json.key("within").value(candidate.within).key("pareto").value(candidate.pareto);
    json.key("values").begin_line_array();
    for (const auto& value : candidate.values) write_value(value, json);
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace skinbake
