#include "report/view_answers.h"

#include <cmath>
#include <string>

#include "report/view_limits.h"

namespace skinbake {

namespace {

std::int64_t count_in(const JsonCursor& count) {
  return count.integer(0, kMostCount);
}

std::int64_t index_in(const JsonCursor& index) {
  return index.integer(0, 2147483647);  // of joints and vertices
}

ExplainedInfluence influence_in(const JsonCursor& influence) {
  ExplainedInfluence view;
  view.joint = static_cast<JointIndex>(index_in(influence.at("joint_index")));
  view.name = influence.at("joint").text();
  view.weight = influence.at("weight").number();
  view.angle_rad = influence.at("angle_rad").number();
  view.flipped = influence.at("flipped").truth();
  view.scale = influence.at("scale").number();
  view.mirrored = influence.at("mirrored").truth();
  return view;
}

// Without `widest`, which `cause` says in words.
Explanation explanation_in(const JsonCursor& explanation) {
  Explanation view;
  view.mesh = explanation.at("mesh").text();
  view.clip = explanation.at("clip").text_or_null();
  view.method = explanation.at("method").text_or_null();
  view.reference = explanation.at("reference").text();
  view.frame = explanation.at("frame").integer(-kFarthestFrame, kFarthestFrame);
  view.time_s = explanation.at("time_s").number();
  view.vertex = static_cast<VertexIndex>(index_in(explanation.at("vertex")));
  view.error_m = explanation.at("error_m").number();
  view.primitive = count_in(explanation.at("primitive"));
  view.primitive_vertex = static_cast<VertexIndex>(index_in(explanation.at("primitive_vertex")));
  for (const JsonCursor& influence : explanation.at("influences").elements()) {
    view.influences.push_back(influence_in(influence));
  }
  view.cause = explanation.at("cause").text();
  return view;
}

// The metric's name stands for `what`, which is only asked for to compute.
RecommendLimit limit_in(const JsonCursor& limit) {
  RecommendLimit view;
  view.option = limit.at("option").text();
  view.metric = limit.at("metric").text();
  view.unit = limit.at("unit").word({"1", "m"});
  view.limit = limit.at("limit").number();
  return view;
}

std::optional<WorstValue> value_in(const JsonCursor& worst) {
  const auto value = worst.find("value");
  if (!value) return {};
  WorstValue view;
  view.value = value->number();
  if (const auto mesh = worst.find("mesh")) view.mesh = mesh->text();
  if (const auto clip = worst.find("clip")) view.clip = clip->text();
  if (const auto frame = worst.find("frame")) {
    view.frame = frame->integer(-kFarthestFrame, kFarthestFrame);
  }
  if (const auto vertex = worst.find("vertex")) view.vertex = count_in(*vertex);
  return view;
}

Candidate candidate_in(const JsonCursor& candidate, std::size_t limits) {
  Candidate view;
  view.method = candidate.at("method").text();
  view.cost = candidate.at("cost").number_or_null();
  view.within = candidate.at("within").truth();
  view.pareto = candidate.at("pareto").truth();
  const JsonCursor values = candidate.at("values");
  for (const JsonCursor& value : values.elements()) view.values.push_back(value_in(value));
  if (view.values.size() != limits) {
    values.fail("has " + std::to_string(view.values.size()) + " values, and there are " +
                std::to_string(limits) + " limits");
  }
  return view;
}

// "at" of a largest difference; null: there is none.
void read_place(const JsonCursor& of, std::optional<std::int64_t>& frame, VertexIndex& vertex) {
  const auto at = of.find("at");
  if (!at) return;
  frame = at->at("frame").integer(-kFarthestFrame, kFarthestFrame);
  vertex = static_cast<VertexIndex>(index_in(at->at("vertex")));
}

std::optional<VerificationRecord::Directions> directions_of(const JsonCursor& output,
                                                            const char* name) {
  const auto there = output.find(name);
  if (!there) return std::nullopt;
  VerificationRecord::Directions read;
  read.max = there->at("max").number_or_null().value_or(std::nan(""));
  read.bound = there->at("bound").number();
  read_place(*there, read.frame, read.vertex);
  return read;
}

VerificationRecord verification_of(const JsonCursor& output) {
  VerificationRecord view;
  view.path = output.at("path").text();
  view.format = output.at("format").text();
  view.mesh = output.at("mesh").text();
  view.clip = output.at("clip").text_or_null();
  view.method = output.at("method").text();
  view.max_m = output.at("max_m").number_or_null().value_or(std::nan(""));
  view.bound_m = output.at("bound_m").number();
  view.passed = output.at("passed").truth();
  read_place(output, view.frame, view.vertex);
  view.normals = directions_of(output, "normals");
  view.tangents = directions_of(output, "tangents");
  return view;
}

SelfTestRecord self_test_of(const JsonCursor& test) {
  SelfTestRecord view;
  view.option = test.at("option").text_or_null();
  view.limit = test.at("limit").number_or_null();
  view.unit = test.at("unit").word({"1", "m"});
  view.moved_by_m = test.at("moved_by_m").number();
  view.vertices = count_in(test.at("vertices"));
  view.frames = count_in(test.at("frames"));
  view.value = test.at("value").number_or_null();
  view.expected = test.at("expected").word({"exceeded", "kept"}) == "exceeded";
  view.exceeded = test.at("passed").truth() ? view.expected : !view.expected;
  return view;
}

template <class Record>
std::vector<Record> list_in(const JsonCursor& list, Record (*make)(const JsonCursor&)) {
  std::vector<Record> records;
  for (const JsonCursor& one : list.elements()) records.push_back(make(one));
  return records;
}

}  // namespace

std::vector<VerificationRecord> verification_in(const JsonCursor& verification) {
  return list_in(verification, verification_of);
}

std::vector<SelfTestRecord> self_test_in(const JsonCursor& self_test) {
  return list_in(self_test, self_test_of);
}

std::vector<Explanation> explanations_in(const JsonCursor& explain) {
  return list_in(explain, explanation_in);
}

Recommendation recommendation_in(const JsonCursor& recommendation) {
  Recommendation view;
  if (const auto method = recommendation.find("method")) view.method = method->text();
  for (const JsonCursor& limit : recommendation.at("limits").elements()) {
    view.limits.push_back(limit_in(limit));
  }
  for (const JsonCursor& candidate : recommendation.at("candidates").elements()) {
    view.candidates.push_back(candidate_in(candidate, view.limits.size()));
  }
  return view;
}

// The two reports are among the inputs.
ReportChanges changes_in(const JsonCursor& changes) {
  ReportChanges view;
  view.compared = count_in(changes.at("compared"));
  view.count = count_in(changes.at("count"));
  for (const JsonCursor& change : changes.at("values").elements()) {
    view.changes.push_back({change.at("pointer").text(), change.at("a").text_or_null(),
                            change.at("b").text_or_null()});
  }
  return view;
}

DifferenceView difference_in(const JsonCursor& difference) {
  return {count_in(difference.at("vertices")), count_in(difference.at("frames"))};
}

}  // namespace skinbake
