// The section "inputs" of reports and sidecars: every file whose bytes were read.

#pragma once

#include <nlohmann/json.hpp>

#include "json/print.h"

namespace skinbake {

// The elements have the members of InputFile: role, path, bytes, xxh128.
template <class InputFiles>
OrderedJson inputs_json(const InputFiles& inputs) {
  OrderedJson json = OrderedJson::array();
  for (const auto& input : inputs) {
    json.push_back({{"role", input.role},
                    {"path", input.path},
                    {"bytes", input.bytes},
                    {"xxh128", input.xxh128}});
  }
  return json;
}

}  // namespace skinbake
