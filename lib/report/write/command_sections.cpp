// The sections that a command or an option adds: `verification`, `library`, `rig_data`,
// `explain` and `recommendation`.

#include "report/recommendation.h"
#include "report/write/sections.h"

namespace skinbake {
namespace {

// "at" of a largest difference; null if there is no difference.
OrderedJson largest_at_json(const std::optional<std::int64_t>& frame, VertexIndex vertex,
                            double fps) {
  if (!frame) return {};
  return {{"frame", *frame}, {"time_s", static_cast<double>(*frame) / fps}, {"vertex", vertex}};
}

OrderedJson directions_json(const VerificationRecord::Directions& directions, double fps) {
  return {{"max", directions.max},
          {"bound", directions.bound},
          {"at", largest_at_json(directions.frame, directions.vertex, fps)}};
}

OrderedJson verified_json(const VerificationRecord& record, double fps) {
  OrderedJson json{{"path", record.path},
                   {"format", record.format},
                   {"mesh", record.mesh},
                   {"clip", name_json(record.clip)},
                   {"method", record.method},
                   {"max_m", record.max_m},
                   {"bound_m", record.bound_m},
                   {"passed", record.passed},
                   {"at", largest_at_json(record.frame, record.vertex, fps)}};
  if (record.normals) json["normals"] = directions_json(*record.normals, fps);
  if (record.tangents) json["tangents"] = directions_json(*record.tangents, fps);
  return json;
}

OrderedJson unpaired_json(const UnpairedElement& element) {
  return {
      {"kind", element.kind}, {"file", name_json(element.file)}, {"name", name_json(element.name)}};
}

OrderedJson failed_pair_json(const FailedPair& pair) {
  return {{"name", name_json(pair.name)},
          {"clip", name_json(pair.clip)},
          {"code", pair.code},
          {"message", pair.message}};
}

OrderedJson renamed_json(const RenamedElement& element) {
  return {{"kind", element.kind},
          {"file", name_json(element.file)},
          {"a", element.a},
          {"b", element.b}};
}

OrderedJson influence_json(const ExplainedInfluence& influence) {
  return {{"joint", influence.name},       {"joint_index", influence.joint},
          {"weight", influence.weight},    {"angle_rad", influence.angle_rad},
          {"flipped", influence.flipped},  {"scale", influence.scale},
          {"mirrored", influence.mirrored}};
}

OrderedJson widest_json(const Explanation& explanation) {
  if (!explanation.widest) return {};
  const JointPair& pair = *explanation.widest;
  OrderedJson json = OrderedJson::object();
  json["joints"] = OrderedJson::array(
      {explanation.influences[pair.first].name, explanation.influences[pair.second].name});
  json["angle_rad"] = pair.angle_rad;
  return json;
}

OrderedJson explanation_json(const Explanation& explanation) {
  OrderedJson json{{"mesh", explanation.mesh},
                   {"clip", name_json(explanation.clip)},
                   {"method", name_json(explanation.method)},
                   {"reference", explanation.reference},
                   {"vertex", explanation.vertex}};
  if (!explanation.copies.empty()) json["copies"] = explanation.copies;
  json["primitive"] = explanation.primitive;
  json["primitive_vertex"] = explanation.primitive_vertex;
  json["frame"] = explanation.frame;
  json["time_s"] = explanation.time_s;
  add_pose(explanation.pose, json);
  json["error_m"] = explanation.error_m;
  json["influences"] = array_json(explanation.influences, influence_json);
  json["widest"] = widest_json(explanation);
  json["cause"] = explanation.cause;
  return json;
}

OrderedJson limit_json(const RecommendLimit& limit) {
  return {{"key", limit.metric}, {"limit", limit.limit}, {"unit", to_string(limit.unit)}};
}

OrderedJson worst_json(const std::optional<WorstValue>& worst) {
  OrderedJson json = OrderedJson::object();
  json["value"] = worst ? OrderedJson(worst->value) : OrderedJson();
  if (!worst || worst->mesh.empty()) return json;
  if (!worst->character.empty()) json["character"] = worst->character;
  json["mesh"] = worst->mesh;
  json["clip"] = name_json(worst->clip);
  if (worst->frame) json["frame"] = *worst->frame;
  if (worst->vertex) json["vertex"] = *worst->vertex;
  if (worst->triangle) json["triangle"] = *worst->triangle;
  if (!worst->joint.empty()) json["joint"] = worst->joint;
  add_pose(worst->pose, json);
  return json;
}

OrderedJson candidate_json(const Candidate& candidate) {
  return {{"method", candidate.method},
          {"cost", optional_json(candidate.cost)},
          {"within", candidate.within},
          {"pareto", candidate.pareto},
          {"values", array_json(candidate.values, worst_json)}};
}

}  // namespace

OrderedJson verification_json(const Report& report) {
  return array_json(report.verification, [&](const VerificationRecord& record) {
    return verified_json(record, report.settings.fps);
  });
}

OrderedJson library_json(const LibraryRecord& library) {
  OrderedJson json{{"files", library.files},
                   {"missing_fails", library.missing_fails},
                   {"only_a", array_json(library.only_a, unpaired_json)},
                   {"only_b", array_json(library.only_b, unpaired_json)},
                   {"failed", array_json(library.failed, failed_pair_json)}};
  if (!library.renamed.empty()) json["renamed"] = array_json(library.renamed, renamed_json);
  return json;
}

OrderedJson rig_data_json(const std::vector<RigDataDifference>& differences) {
  return array_json(differences, [](const RigDataDifference& difference) -> OrderedJson {
    return {{"file", name_json(difference.file)},
            {"kind", difference.kind},
            {"name", name_json(difference.name)},
            {"difference", difference.difference}};
  });
}

OrderedJson explanations_json(const std::vector<Explanation>& explanations) {
  return array_json(explanations, explanation_json);
}

OrderedJson recommendation_json(const Recommendation& recommendation) {
  OrderedJson json = OrderedJson::object();
  json["method"] = optional_json(recommendation.method);
  const auto metric_of = [&](std::size_t limit) { return recommendation.limits[limit].metric; };
  if (const auto& nearest = recommendation.nearest) {
    json["nearest"] = {{"method", nearest->method},
                       {"metric", metric_of(nearest->limit)},
                       {"worst", worst_json(nearest->worst)}};
  }
  if (!recommendation.unmeasured.empty()) {
    json["unmeasured"] = array_json(recommendation.unmeasured, metric_of);
  }
  json["limits"] = array_json(recommendation.limits, limit_json);
  json["costs_measured_on"] = costs_measured_on();
  json["candidates"] = array_json(recommendation.candidates, candidate_json);
  return json;
}

}  // namespace skinbake
