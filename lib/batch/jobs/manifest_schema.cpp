// The JSON Schema of manifests, made from the options of the commands.

#include <map>
#include <string>

#include "batch/jobs/manifest.h"
#include "json/json_writer.h"

namespace skinbake {

namespace {

void write_scalar(JsonWriter& out, bool may_be_null) {
  out.begin_line_object().key("type").begin_line_array();
  out.value("string").value("number");
  if (may_be_null) out.value("null").value("boolean");
  out.end_array().end_object();
}

void write_key(const ManifestKey& key, JsonWriter& out) {
  out.key(key.name).begin_object();
  out.key("description").value(key.help);
  if (key.is_flag) {
    out.key("type").begin_line_array().value("boolean").value("null").end_array();
  } else if (key.takes_list()) {
    out.key("anyOf").begin_array();
    write_scalar(out, true);
    out.begin_line_object().key("type").value("array").key("minItems").value(1);
    out.key("items");
    write_scalar(out, false);
    out.end_object().end_array();
  } else {
    out.key("type").begin_line_array();
    out.value("string").value("number").value("null").value("boolean").end_array();
  }
  out.end_object();
}

// The keys of one command, or of several: one that takes a list describes those of its name.
void write_keys(std::span<const ManifestCommand> commands, JsonWriter& out) {
  std::map<std::string, const ManifestKey*> keys;
  for (const ManifestCommand& command : commands) {
    for (const ManifestKey& key : command.keys) keys[key.name] = find_key(commands, key.name);
  }
  for (const auto& [name, key] : keys) write_key(*key, out);
}

void write_command_word(std::span<const ManifestCommand> commands, JsonWriter& out) {
  out.key("command").begin_line_object().key("enum").begin_line_array();
  for (const ManifestCommand& command : commands) out.value(command.name);
  out.end_array().end_object();
}

}  // namespace

std::string manifest_schema(std::span<const ManifestCommand> commands) {
  JsonWriter out;
  out.begin_object();
  out.key("$schema").value("https://json-schema.org/draft/2020-12/schema");
  out.key("title").value("Manifest of skinbake batch");
  out.key("type").value("object");
  out.key("required").begin_line_array();
  out.value("schema").value("schema_version").value("jobs").end_array();
  out.key("additionalProperties").value(false);
  out.key("properties").begin_object();
  out.key("$schema").begin_line_object().key("type").value("string").end_object();
  out.key("schema").begin_line_object().key("const").value("skinbake.batch").end_object();
  out.key("schema_version").begin_line_object();
  out.key("type").value("string").key("pattern").value("^1\\.").end_object();
  out.key("defaults").begin_object();
  out.key("description").value("Settings of every job whose command has them");
  out.key("type").value("object").key("additionalProperties").value(false);
  out.key("properties").begin_object();
  write_command_word(commands, out);
  write_keys(commands, out);
  out.end_object().end_object();
  out.key("jobs").begin_object();
  out.key("type").value("array");
  out.key("items").begin_object();
  out.key("type").value("object").key("additionalProperties").value(false);
  out.key("properties").begin_object();
  out.key("name").begin_object();
  out.key("description").value("Name of the job; default: job-1, job-2, …");
  out.key("type").value("string").key("minLength").value(1).end_object();
  write_command_word(commands, out);
  write_keys(commands, out);
  out.end_object().end_object().end_object().end_object().end_object();
  return out.take();
}

}  // namespace skinbake
