// A reader of a JSON text that builds no document, for files of which few members are needed.

#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace skinbake {

// Ignores everything. A derived class overrides what it needs; reading ends where a function
// returns false, or where the text is not JSON: what was found before counts.
class JsonVisitor : public nlohmann::json::json_sax_t {
 public:
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }
};

// Calls the visitor with what is in the text. One unit compiles the library's parser.
void visit_text(std::string_view text, JsonVisitor& visitor);

}  // namespace skinbake
