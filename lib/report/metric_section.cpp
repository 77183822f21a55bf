// The sections of metrics that need no code of their own: keys and values as the metric has them.
// Numbers and places share a line, as far as they follow each other; what holds arrays has lines of
// its own.

#include "report/sections.h"

namespace skinbake {
namespace {

void write_fields(const FrameRange& frames, const std::vector<MetricField>& fields,
                  JsonWriter& json);

struct FieldWriter {
  const FrameRange& frames;
  std::string_view key;
  JsonWriter& json;

  void operator()(double number) const { json.key(key).value(number); }
  void operator()(std::int64_t number) const { json.key(key).value(number); }
  void operator()(const std::string& text) const { json.key(key).value(text); }
  void operator()(const Place& place) const { write_place(key, frames, place, json); }
  void operator()(const std::vector<double>& numbers) const { json.key(key).numbers(numbers); }
  void operator()(const std::vector<std::int64_t>& numbers) const {
    json.key(key).numbers(numbers);
  }
  void operator()(const std::vector<MetricField>& fields) const {
    json.key(key).begin_object();
    write_fields(frames, fields, json);
    json.end_object();
  }
  void operator()(const std::vector<std::vector<MetricField>>& objects) const {
    json.key(key).begin_line_array();
    for (const std::vector<MetricField>& fields : objects) {
      json.begin_object();
      write_fields(frames, fields, json);
      json.end_object();
    }
    json.end_array();
  }
};

// In the order of MetricField::value: what is written on the line of the one before.
bool is_short(const MetricField& field) {
  return field.value.index() <= 3;
}

void write_fields(const FrameRange& frames, const std::vector<MetricField>& fields,
                  JsonWriter& json) {
  bool after_short = false;
  for (const MetricField& field : fields) {
    if (after_short && is_short(field)) json.same_line();
    after_short = is_short(field);
    std::visit(FieldWriter{frames, field.key, json}, field.value);
  }
}

}  // namespace

void write_metric(const RunContext& context, const MetricResult& result, JsonWriter& json) {
  json.key(result.id).begin_object();
  write_fields(context.run.frames, result.fields, json);
  json.end_object();
}

}  // namespace skinbake
