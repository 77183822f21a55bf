// The checks of untrusted documents against a schema.

#include "json/json_schema.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace skinbake {
namespace {

using Json = nlohmann::ordered_json;

const Json kSchema = Json::parse(R"({
  "type": "object", "required": ["name"], "additionalProperties": false,
  "properties": {
    "name": {"type": "string"},
    "kind": {"enum": ["a", "b"]},
    "share": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
    "rate": {"type": "number", "exclusiveMinimum": 0},
    "list": {"$ref": "#/$defs/numbers"},
    "place": {"oneOf": [{"type": "null"}, {"type": "object", "required": ["frame"]}]},
    "fixed": {"const": 3},
    "pair": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}},
  "$defs": {"numbers": {"type": "array", "items": {"type": ["integer", "null"], "minimum": 0}}}
})");

// "pointer: text", or nothing.
std::string fault_of(const std::string& text) {
  const auto fault = schema_fault(Json::parse(text), kSchema);
  return fault ? fault->pointer + ": " + fault->text : "";
}

TEST_CASE("json schema: a document that obeys has no fault") {
  CHECK(fault_of(R"({"name": "x", "kind": "b", "share": null, "rate": 0.5, "list": [1, null],
                     "place": {"frame": 1}, "fixed": 3, "pair": ["a", "b"]})") == "");
}

TEST_CASE("json schema: a fault has its pointer and what is wrong") {
  CHECK(fault_of("[]") == ": is of type array, not object");
  CHECK(fault_of("{}") == ": has no \"name\"");
  CHECK(fault_of(R"({"name": 1})") == "/name: is of type integer, not string");
  CHECK(fault_of(R"({"name": "x", "kind": "c"})") == "/kind: is not one of [\"a\",\"b\"]");
  CHECK(fault_of(R"({"name": "x", "share": 2})") == "/share: is out of its range");
  CHECK(fault_of(R"({"name": "x", "rate": 0})") == "/rate: is out of its range");
  CHECK(fault_of(R"({"name": "x", "list": [1, "2"]})").starts_with("/list/1: is of type string"));
  CHECK(fault_of(R"({"name": "x", "list": [-1]})") == "/list/0: is out of its range");
  CHECK(fault_of(R"({"name": "x", "list": [0.5]})").starts_with("/list/0: is of type number"));
  CHECK(fault_of(R"({"name": "x", "place": {}})") == "/place: has no \"frame\"");
  CHECK(fault_of(R"({"name": "x", "fixed": 4})") == "/fixed: is not 3");
  CHECK(fault_of(R"({"name": "x", "pair": ["a"]})") == "/pair: has too few elements");
  CHECK(fault_of(R"({"name": "x", "other": 1})") == ": has the unknown member 'other'");
}

}  // namespace
}  // namespace skinbake
