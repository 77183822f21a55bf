// What only `diff` finds out: `run.difference`, `self_test` and `changes` of the report.

#include "report/sections.h"

namespace skinbake {

namespace {

void write_point(std::string_view key, const std::array<double, 3>& point, JsonWriter& json) {
  json.key(key).begin_line_array();
  for (const double coordinate : point) json.value(coordinate);
  json.end_array();
}

// A value as the report had it: JSON already, or a word for what is large or not there.
void write_value(std::string_view key, const std::string& text, JsonWriter& json) {
  json.key(key);
  text.empty() ? json.null() : json.value(text);
}

}  // namespace

void write_difference(const RunContext& context, const Difference& difference, JsonWriter& json) {
  json.key("difference").begin_object();
  json.key("identical").value(difference.identical);
  json.same_line().key("vertices").value(difference.vertices);
  json.same_line().key("frames").value(difference.frames);
  json.key("at_max").begin_line_object();
  write_point("a", difference.a_at_max, json);
  write_point("b", difference.b_at_max, json);
  json.end_object();
  json.key("over").begin_array();
  for (const OverLimit& over : difference.error.over) {
    json.begin_line_object();
    json.key("limit_m").value(over.limit_m).key("vertices").value(over.vertices);
    json.key("frames").value(over.frames).key("most").value(over.most);
    write_place("most_at", context.run.frames, over.most_at, json);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_self_test(const std::vector<SelfTestRecord>& tests, JsonWriter& json) {
  json.key("self_test").begin_array();
  for (const SelfTestRecord& test : tests) {
    json.begin_line_object();
    write_name("option", test.option, json);
    json.key("limit").value(test.limit).key("unit").value(test.unit);
    json.key("moved_by_m").value(test.moved_by_m);
    json.key("vertices").value(test.vertices).key("frames").value(test.frames);
    json.key("value").value(test.value);
    json.key("expected").value(test.expected ? "exceeded" : "kept");
    json.key("passed").value(test.exceeded == test.expected);
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
    write_value("a", change.a, json);
    write_value("b", change.b, json);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace skinbake
