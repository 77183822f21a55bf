#include "report/merge/layout.h"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "json/json_writer.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

using Json = nlohmann::json;

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// A position in the model. Behind its end there are zeros.
class Model {
 public:
  explicit Model(std::string_view text) : rest_(text) {}

  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  void skip(std::size_t count) { take(count); }

  std::string_view space() {
    std::size_t n = 0;
    while (n < rest_.size() && is_space(rest_[n])) ++n;
    return take(n);
  }

  std::string_view string() {
    std::size_t n = 1;
    while (n < rest_.size() && rest_[n] != '"') n += rest_[n] == '\\' ? 2 : 1;
    return take(n + 1);
  }

  // A number, true, false or null.
  std::string_view word() {
    std::size_t n = 0;
    while (n < rest_.size() && !is_space(rest_[n]) && rest_[n] != ',' && rest_[n] != ']' &&
           rest_[n] != '}') {
      ++n;
    }
    return take(n);
  }

  void skip_value() {
    if (peek() == '"') {
      string();
      return;
    }
    if (peek() != '{' && peek() != '[') {
      word();
      return;
    }
    int depth = 0;
    do {
      const char c = peek();
      if (c == '"') {
        string();
        continue;
      }
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
      skip(1);
    } while (depth > 0 && !rest_.empty());
  }

 private:
  std::string_view take(std::size_t count) {
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view rest_;
};

// Numbers as JsonWriter writes them.
void append_number(const Json& json, std::string& text) {
  std::array<char, 32> digits;
  const auto write = [&](auto number) {
    return std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  };
  const char* const end = json.is_number_float()      ? write(json.get<double>())
                          : json.is_number_unsigned() ? write(json.get<std::uint64_t>())
                                                      : write(json.get<std::int64_t>());
  text.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void append_string(const std::string& string, std::string& text) {
  JsonWriter writer;
  const std::string quoted = writer.value(string).take();
  text.append(quoted, 0, quoted.size() - 1);  // without the line break
}

void append_scalar(const Json& json, std::string& text) {
  if (json.is_number()) {
    append_number(json, text);
  } else if (json.is_string()) {
    append_string(json.get_ref<const std::string&>(), text);
  } else {
    text += json.is_null() ? "null" : json.get<bool>() ? "true" : "false";
  }
}

bool is_scalar(const Json& json) {
  return !json.is_object() && !json.is_array();
}

class LayoutWriter {
 public:
  explicit LayoutWriter(std::string_view model) : model_(model) {}

  std::string text(const Json& json) {
    text_ += model_.space();
    write(json);
    text_ += model_.space();
    return std::move(text_);
  }

 private:
  // Writes a value, and moves the model behind the value in the same place. Recursive; the parser
  // has limited the depth.
  void write(const Json& json) {
    if (json.is_object() && model_.peek() == '{') {
      write_object(json);
    } else if (json.is_array() && !json.empty() && !is_scalar(json.front())) {
      write_elements(json);
    } else {
      model_.skip_value();
      append_on_line(json);
    }
  }

  void write_object(const Json& json) {
    std::size_t written = 0;
    text_ += '{';
    model_.skip(1);
    for (std::string_view space = model_.space(); model_.peek() != '}'; space = model_.space()) {
      const std::string_view quoted = model_.string();
      model_.space();
      model_.skip(1);  // the colon
      const std::string_view before_value = model_.space();
      const auto member = json.find(Json::parse(quoted).get_ref<const std::string&>());
      if (member != json.end()) {
        if (written > 0) text_ += ',';
        text_.append(space).append(quoted).append(":").append(before_value);
        write(*member);
        ++written;
      } else {
        model_.skip_value();
      }
      if (!is_next()) break;
    }
    require(written == json.size());
    close('}');
  }

  void write_elements(const Json& json) {
    text_ += '[';
    model_.skip(1);
    for (std::size_t i = 0; i < json.size(); ++i) {
      text_ += model_.space();
      write(json[i]);
      const bool more = is_next();
      require(more == (i + 1 < json.size()));
      if (more) text_ += ',';
    }
    close(']');
  }

  // Moves the model behind a comma; without one, adds the space before the closing bracket.
  bool is_next() {
    const std::string_view space = model_.space();
    if (model_.peek() != ',') {
      text_ += space;
      return false;
    }
    model_.skip(1);
    return true;
  }

  void close(char bracket) {
    require(model_.peek() == bracket);
    model_.skip(1);
    text_ += bracket;
  }

  // The document was made from the model, whose structure it has, unless the model has a key twice.
  static void require(bool same_structure) {
    if (same_structure) return;
    throw Error(ErrorKind::kInput, "REPORT_INVALID",
                "the first part has an object with a key twice; write the report again");
  }

  void append_on_line(const Json& json) {
    if (is_scalar(json)) {
      append_scalar(json, text_);
    } else if (json.is_array()) {
      append_list(json);
    } else {
      append_place(json);
    }
  }

  // A place (write_place), whose keys have an order.
  void append_place(const Json& place) {
    const char* separator = "{";
    for (const char* key : {"frame", "time_s", "vertex", "triangle", "edge", "pose"}) {
      const auto member = place.find(key);
      if (member == place.end()) continue;
      text_.append(separator).append("\"").append(key).append("\": ");
      append_on_line(*member);
      separator = ", ";
    }
    text_ += '}';
  }

  void append_list(const Json& list) {
    const char* separator = "[";
    for (const Json& element : list) {
      text_ += separator;
      append_on_line(element);
      separator = ", ";
    }
    text_ += list.empty() ? "[]" : "]";
  }

  Model model_;
  std::string text_;
};

}  // namespace

std::string text_like(std::string_view model, const nlohmann::json& json) {
  return LayoutWriter(model).text(json);
}

}  // namespace skinbake
