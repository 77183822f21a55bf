// The section "inputs" of reports and sidecars: every file whose bytes were read.

#pragma once

#include "json/json_writer.h"

namespace skinbake {

// The elements have the members of InputFile: role, path, bytes, xxh128.
template <class InputFiles>
void write_inputs(const InputFiles& inputs, JsonWriter& json) {
  json.key("inputs").begin_array();
  for (const auto& input : inputs) {
    json.begin_line_object();
    json.key("role").value(input.role).key("path").value(input.path);
    json.key("bytes").value(input.bytes).key("xxh128").value(input.xxh128);
    json.end_object();
  }
  json.end_array();
}

}  // namespace skinbake
