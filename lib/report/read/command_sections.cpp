// The sections of a report that a command or an option adds: `verification`,
// `explain`, `recommendation` and `changes`.

#include <cmath>
#include <string>

#include "report/limits.h"
#include "report/read/sections.h"

namespace skinbake {

namespace {

std::int64_t read_count(const JsonCursor& count) {
  return count.integer(0, kMostCount);
}

std::int64_t read_index(const JsonCursor& index) {
  return index.integer(0, 2147483647);  // joints and vertices
}

ExplainedInfluence read_influence(const JsonCursor& influence) {
  ExplainedInfluence parsed;
  parsed.joint = static_cast<JointIndex>(read_index(influence.at("joint_index")));
  parsed.name = influence.at("joint").text();
  parsed.weight = influence.at("weight").number();
  parsed.angle_rad = influence.at("angle_rad").number();
  parsed.flipped = influence.at("flipped").truth();
  parsed.scale = influence.at("scale").number();
  parsed.mirrored = influence.at("mirrored").truth();
  return parsed;
}

// Reads an explanation without `widest`: `cause` describes this pair of joints.
Explanation read_explanation(const JsonCursor& explanation) {
  Explanation parsed;
  parsed.mesh = explanation.at("mesh").text();
  parsed.clip = explanation.at("clip").text_or_null();
  parsed.method = explanation.at("method").text_or_null();
  parsed.reference = explanation.at("reference").text();
  parsed.frame = explanation.at("frame").integer(-kFarthestFrame, kFarthestFrame);
  parsed.time_s = explanation.at("time_s").number();
  if (const auto pose = explanation.find("pose")) parsed.pose = pose->text();
  parsed.vertex = static_cast<VertexIndex>(read_index(explanation.at("vertex")));
  if (const auto copies = explanation.find("copies")) {
    for (const JsonCursor& copy : copies->elements()) {
      parsed.copies.push_back(static_cast<VertexIndex>(read_index(copy)));
    }
  }
  parsed.error_m = explanation.at("error_m").number();
  parsed.primitive = read_count(explanation.at("primitive"));
  parsed.primitive_vertex =
      static_cast<VertexIndex>(read_index(explanation.at("primitive_vertex")));
  for (const JsonCursor& influence : explanation.at("influences").elements()) {
    parsed.influences.push_back(read_influence(influence));
  }
  parsed.cause = explanation.at("cause").text();
  return parsed;
}

// Reads a limit. Its `what` says whether it is of an error; only the computation of values needs
// more.
RecommendLimit read_limit(const JsonCursor& limit) {
  RecommendLimit parsed;
  parsed.metric = limit.at("key").text();
  parsed.unit = read_unit(limit.at("unit"));
  parsed.limit = limit.at("limit").number();
  return parsed;
}

std::optional<WorstValue> read_worst(const JsonCursor& worst) {
  const auto value = worst.find("value");
  if (!value) return {};
  WorstValue parsed;
  parsed.value = value->number();
  if (const auto mesh = worst.find("mesh")) parsed.mesh = mesh->text();
  if (const auto clip = worst.find("clip")) parsed.clip = clip->text();
  if (const auto frame = worst.find("frame")) {
    parsed.frame = frame->integer(-kFarthestFrame, kFarthestFrame);
  }
  if (const auto vertex = worst.find("vertex")) parsed.vertex = read_count(*vertex);
  if (const auto triangle = worst.find("triangle")) parsed.triangle = read_count(*triangle);
  if (const auto joint = worst.find("joint")) parsed.joint = joint->text();
  if (const auto pose = worst.find("pose")) parsed.pose = pose->text();
  return parsed;
}

Candidate read_candidate(const JsonCursor& candidate, std::size_t limits) {
  Candidate parsed;
  parsed.method = candidate.at("method").text();
  parsed.cost = candidate.at("cost").number_or_null();
  parsed.within = candidate.at("within").truth();
  parsed.pareto = candidate.at("pareto").truth();
  const JsonCursor values = candidate.at("values");
  for (const JsonCursor& value : values.elements()) parsed.values.push_back(read_worst(value));
  if (parsed.values.size() != limits) {
    values.fail("has " + std::to_string(parsed.values.size()) + " values, and there are " +
                std::to_string(limits) + " limits");
  }
  return parsed;
}

// Reads "at" of a largest difference; null if there is no difference.
void read_place(const JsonCursor& of, std::optional<std::int64_t>& frame, VertexIndex& vertex) {
  const auto at = of.find("at");
  if (!at) return;
  frame = at->at("frame").integer(-kFarthestFrame, kFarthestFrame);
  vertex = static_cast<VertexIndex>(read_index(at->at("vertex")));
}

std::optional<VerificationRecord::Directions> read_directions(const JsonCursor& output,
                                                              const char* name) {
  const auto found = output.find(name);
  if (!found) return std::nullopt;
  VerificationRecord::Directions parsed;
  parsed.max = found->at("max").number_or_null().value_or(std::nan(""));
  parsed.bound = found->at("bound").number();
  read_place(*found, parsed.frame, parsed.vertex);
  return parsed;
}

VerificationRecord read_output(const JsonCursor& output) {
  VerificationRecord parsed;
  parsed.path = output.at("path").text();
  parsed.format = output.at("format").text();
  parsed.mesh = output.at("mesh").text();
  parsed.clip = output.at("clip").text_or_null();
  parsed.method = output.at("method").text();
  parsed.max_m = output.at("max_m").number_or_null().value_or(std::nan(""));
  parsed.bound_m = output.at("bound_m").number();
  parsed.passed = output.at("passed").truth();
  read_place(output, parsed.frame, parsed.vertex);
  parsed.normals = read_directions(output, "normals");
  parsed.tangents = read_directions(output, "tangents");
  return parsed;
}

template <class Record>
std::vector<Record> read_list(const JsonCursor& list, Record (*read)(const JsonCursor&)) {
  std::vector<Record> records;
  for (const JsonCursor& element : list.elements()) records.push_back(read(element));
  return records;
}

}  // namespace

std::vector<VerificationRecord> read_verification(const JsonCursor& verification) {
  return read_list(verification, read_output);
}

std::vector<Explanation> read_explanations(const JsonCursor& explain) {
  return read_list(explain, read_explanation);
}

Recommendation read_recommendation(const JsonCursor& recommendation) {
  Recommendation parsed;
  if (const auto method = recommendation.find("method")) parsed.method = method->text();
  for (const JsonCursor& limit : recommendation.at("limits").elements()) {
    parsed.limits.push_back(read_limit(limit));
  }
  for (const JsonCursor& candidate : recommendation.at("candidates").elements()) {
    parsed.candidates.push_back(read_candidate(candidate, parsed.limits.size()));
  }
  find_nearest(parsed);
  return parsed;
}

// Reads the changes without the names of the two reports, which are among the inputs.
ReportChanges read_changes(const JsonCursor& changes) {
  ReportChanges parsed;
  parsed.compared = read_count(changes.at("compared"));
  parsed.count = read_count(changes.at("count"));
  for (const JsonCursor& change : changes.at("values").elements()) {
    parsed.changes.push_back({change.at("pointer").text(), change.at("a").text_or_null(),
                              change.at("b").text_or_null()});
  }
  const auto measurements = changes.find("measurements");  // reports of older versions have none
  if (!measurements) return parsed;
  for (const JsonCursor& change : measurements->elements()) {
    parsed.measurements.push_back({change.at("mesh").text(), change.at("clip").text_or_null(),
                                   change.at("method").text_or_null(), change.at("metric").text(),
                                   change.at("a").number(), change.at("b").number()});
  }
  return parsed;
}

namespace {

std::vector<UnpairedElement> read_unpaired(const JsonCursor& elements) {
  std::vector<UnpairedElement> parsed;
  for (const JsonCursor& element : elements.elements()) {
    parsed.push_back({element.at("kind").word({"file", "mesh", "clip"}),
                      element.at("file").text_or_null(), element.at("name").text_or_null()});
  }
  return parsed;
}

}  // namespace

LibraryRecord read_library(const JsonCursor& library) {
  LibraryRecord parsed;
  parsed.files = read_count(library.at("files"));
  parsed.missing_fails = library.at("missing_fails").truth();
  parsed.only_a = read_unpaired(library.at("only_a"));
  parsed.only_b = read_unpaired(library.at("only_b"));
  for (const JsonCursor& pair : library.at("failed").elements()) {
    parsed.failed.push_back({pair.at("name").text_or_null(), pair.at("clip").text_or_null(),
                             pair.at("code").text(), pair.at("message").text()});
  }
  if (const auto renamed = library.find("renamed")) {
    for (const JsonCursor& element : renamed->elements()) {
      parsed.renamed.push_back({element.at("kind").word({"file", "mesh", "clip"}),
                                element.at("file").text_or_null(), element.at("a").text(),
                                element.at("b").text()});
    }
  }
  return parsed;
}

std::vector<RigDataDifference> read_rig_data(const JsonCursor& data) {
  std::vector<RigDataDifference> parsed;
  for (const JsonCursor& difference : data.elements()) {
    parsed.push_back({difference.at("file").text_or_null(),
                      difference.at("kind").word({"mesh", "clip", "nodes"}),
                      difference.at("name").text_or_null(), difference.at("difference").text()});
  }
  return parsed;
}

}  // namespace skinbake
