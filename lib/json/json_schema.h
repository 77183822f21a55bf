// Checks an untrusted JSON document against a JSON Schema (2020-12) of ours, whose keywords are
// `type`, `properties`, `required`, `additionalProperties`, `items`, `minItems`, `maxItems`,
// `const`, `enum`, `minimum`, `maximum`, `exclusiveMinimum`, `oneOf`, `if` with `then`, and `$ref`
// to `$defs`. Others are ignored: their faults do not harm a reader.

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace skinbake {

struct SchemaFault {
  std::string pointer;  // JSON pointer of the faulty value
  std::string text;     // continues a sentence: "is a text, not a number"
};

// The first fault of `value`; none: it obeys `schema`.
std::optional<SchemaFault> schema_fault(const nlohmann::ordered_json& value,
                                        const nlohmann::ordered_json& schema);

}  // namespace skinbake
