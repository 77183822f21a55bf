#include "json/json_schema.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "json/json_text.h"
#include "json/text.h"

namespace skinbake {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string_view type_of(const Json& value) {
  if (value.is_object()) return "object";
  if (value.is_array()) return "array";
  if (value.is_string()) return "string";
  if (value.is_boolean()) return "boolean";
  if (value.is_null()) return "null";
  return value.is_number_integer() ? "integer" : "number";
}

bool is_of_type(const Json& value, const Json& name) {
  const std::string_view type = type_of(value), wanted = name.get_ref<const std::string&>();
  return type == wanted || (wanted == "number" && type == "integer");
}

class SchemaCheck {
 public:
  explicit SchemaCheck(const Json& schema) : root_(schema) {}

  // Whether the value obeys the schema. Recursive: the depth of both documents is bounded.
  bool obeys(const Json& value, const Json& schema) {
    if (schema.contains("$ref")) return obeys(value, resolved(schema));
    return type(value, schema) && choice(value, schema) && range(value, schema) &&
           members(value, schema) && elements(value, schema) && alternatives(value, schema);
  }

  SchemaFault fault;

 private:
  bool fail(const std::string& text) {
    fault = {pointer_, text};
    return false;
  }

  const Json& referenced(const Json& reference) const {
    return root_.at(Json::json_pointer(reference.get_ref<const std::string&>().substr(1)));
  }

  const Json& resolved(const Json& schema) const {
    return schema.contains("$ref") ? resolved(referenced(schema["$ref"])) : schema;
  }

  // Whether all elements obey a schema of numbers, as in the longest arrays.
  static bool are_plain(const Json& array, const Json& schema) {
    bool has_more = false;
    for (const auto& [key, ignored] : schema.items()) {
      has_more = has_more || (key != "type" && key != "description" && key != "minimum");
    }
    if (has_more || !schema.contains("type")) return false;
    const std::string types = schema["type"].dump();
    const bool takes_null = types.find("null") != std::string::npos,
               takes_number = types.find("number") != std::string::npos,
               takes_integer = takes_number || types.find("integer") != std::string::npos;
    const double least = schema.contains("minimum") ? schema["minimum"].get<double>() : -kInfinity;
    return std::all_of(array.begin(), array.end(), [&](const Json& element) {
      if (element.is_null()) return takes_null;
      const bool is_of_type = element.is_number_integer() ? takes_integer : takes_number;
      return element.is_number() && is_of_type && element.get<double>() >= least;
    });
  }

  bool type(const Json& value, const Json& schema) {
    if (!schema.contains("type")) return true;
    const Json& wanted = schema["type"];
    const bool is_listed =
        wanted.is_array() ? std::any_of(wanted.begin(), wanted.end(),
                                        [&](const Json& name) { return is_of_type(value, name); })
                          : is_of_type(value, wanted);
    return is_listed || fail("is of type " + std::string(type_of(value)) + ", not " +
                             (wanted.is_array() ? wanted.dump() : wanted.get<std::string>()));
  }

  bool choice(const Json& value, const Json& schema) {
    if (schema.contains("const") && value != schema["const"]) {
      return fail("is not " + schema["const"].dump());
    }
    if (!schema.contains("enum")) return true;
    const Json& words = schema["enum"];
    const bool is_listed = std::find(words.begin(), words.end(), value) != words.end();
    return is_listed || fail("is not one of " + words.dump());
  }

  bool range(const Json& value, const Json& schema) {
    if (!value.is_number()) return true;
    const double number = value.get<double>();
    const auto limit = [&](const char* key, double otherwise) {
      return schema.contains(key) ? schema[key].get<double>() : otherwise;
    };
    const bool is_inside = number >= limit("minimum", number) &&
                           number <= limit("maximum", number) &&
                           !(schema.contains("exclusiveMinimum") &&
                             number <= schema["exclusiveMinimum"].get<double>());
    return is_inside || fail("is out of its range");
  }

  template <class Name>
  bool obeys_below(const Name& name, const Json& value, const Json& schema) {
    const std::size_t length = pointer_.size();
    pointer_ += '/';
    pointer_ += pointer_token(name);
    const bool does = obeys(value, schema);
    pointer_.resize(length);
    return does;
  }

  bool members(const Json& value, const Json& schema) {
    if (!value.is_object()) return true;
    for (const Json& key : schema.value("required", Json::array())) {
      if (!value.contains(key.get_ref<const std::string&>())) return fail("has no " + key.dump());
    }
    static const Json kNone = Json::object();
    const Json& known = schema.contains("properties") ? schema["properties"] : kNone;
    const bool has_rest = schema.contains("additionalProperties");
    if (known.empty() && !has_rest) return true;
    for (const auto& [key, member] : value.items()) {
      if (known.contains(key)) {
        if (!obeys_below(key, member, known[key])) return false;
      } else if (has_rest && schema["additionalProperties"].is_object()) {
        if (!obeys_below(key, member, schema["additionalProperties"])) return false;
      } else if (has_rest && schema["additionalProperties"] == Json(false)) {
        return fail("has the unknown member '" + printable(key) + "'");
      }
    }
    return true;
  }

  bool elements(const Json& value, const Json& schema) {
    if (!value.is_array()) return true;
    if (schema.contains("minItems") && value.size() < schema["minItems"].get<std::size_t>()) {
      return fail("has too few elements");
    }
    if (schema.contains("maxItems") && value.size() > schema["maxItems"].get<std::size_t>()) {
      return fail("has too many elements");
    }
    if (!schema.contains("items")) return true;
    const Json& wanted = resolved(schema["items"]);
    if (are_plain(value, wanted)) return true;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (!obeys_below(std::to_string(i), value[i], wanted)) return false;
    }
    return true;
  }

  bool alternatives(const Json& value, const Json& schema) {
    if (schema.contains("if") && schema.contains("then")) {
      const bool applies = obeys(value, schema["if"]);
      fault = {};
      if (applies && !obeys(value, schema["then"])) return false;
    }
    if (!schema.contains("oneOf")) return true;
    SchemaFault deepest;
    for (const Json& one : schema["oneOf"]) {
      if (obeys(value, one)) return true;  // no two forms of ours apply at once
      if (fault.pointer.size() >= deepest.pointer.size()) deepest = fault;
    }
    fault = deepest;
    return false;
  }

  const Json& root_;
  std::string pointer_;
};

}  // namespace

std::optional<SchemaFault> schema_fault(const Json& value, const Json& schema) {
  SchemaCheck check(schema);
  if (check.obeys(value, schema)) return {};
  return check.fault;
}

}  // namespace skinbake
