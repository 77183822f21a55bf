// `explain` of the report.

#include <array>

#include "report/sections.h"

namespace skinbake {
namespace {

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

}  // namespace

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
    json.same_line().key("primitive").value(explanation.primitive);
    json.same_line().key("primitive_vertex").value(explanation.primitive_vertex);
    json.same_line().key("frame").value(explanation.frame);
    json.same_line().key("time_s").value(explanation.time_s);
    json.same_line().key("error_m").value(explanation.error_m);
    write_influences(explanation.influences, json);
    write_widest(explanation, json);
    json.key("cause").value(explanation.cause);
    json.end_object();
  }
  json.end_array();
}

}  // namespace skinbake
