#include "arguments/config_text.h"

#include <sstream>
#include <string_view>

#include "skinbake/error.h"

namespace skinbake::cli {

namespace {

class ConfigText {
 public:
  explicit ConfigText(const std::string& path) : path_(path) {}

  std::string plain(const std::string& text) {
    std::istringstream lines(text);
    std::string plain;
    for (std::string line; std::getline(lines, line);) {
      ++line_;
      const bool is_value = depth_ > 0;  // of a list that an earlier line has opened
      const std::string_view code = without_comment(line);
      if (!is_value) check_name(code);
      plain.append(code).append(depth_ > 0 ? " " : "\n");  // a list is one line
    }
    if (depth_ > 0) fail("a list is not closed; end it with ]");
    return plain;
  }

 private:
  // The line up to its comment. Counts the brackets outside quotes.
  std::string_view without_comment(std::string_view line) {
    char quote = '\0';
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (quote != '\0') {
        if (c == '\\' && quote == '"') {
          fail("a text in double quotes has a backslash; write it in single quotes");
        }
        if (c == quote) quote = '\0';
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '#') {
        return line.substr(0, i);
      } else if (c == '[') {
        ++depth_;
      } else if (c == ']') {
        --depth_;
      }
    }
    if (quote != '\0') fail(std::string("a quote ") + quote + " is not closed; close it");
    if (depth_ < 0) fail("a bracket ] has no beginning; remove it");
    return line;
  }

  // CLI11 skips lines of two characters, and takes a line without value for a flag. A name is that
  // of an option or of a command, none of which has a dot.
  void check_name(std::string_view line) const {
    const std::size_t begin = line.find_first_not_of(" \t\r"), equals = line.find('=');
    if (begin == std::string_view::npos) return;
    if (line[begin] == ';') fail("begins with a semicolon; a comment begins with #");
    if (line[begin] != '[' && (equals == std::string_view::npos || equals == begin ||
                               line.find_first_not_of(" \t\r", equals + 1) == line.npos)) {
      fail("is neither KEY = VALUE nor [COMMAND]; correct the line");
    }
    const std::string_view name = line.substr(0, equals);
    if (name.find('.') == std::string_view::npos) return;
    fail("the name '" + std::string(name.substr(0, 40)) +
         "' has a dot; write the option under [COMMAND], or its value in quotes after '='");
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw Error(ErrorKind::kInput, "CONFIG_INVALID",
                "line " + std::to_string(line_) + ": " + message, {path_, ""});
  }

  const std::string& path_;
  int line_ = 0;
  int depth_ = 0;  // open brackets
};

}  // namespace

std::string plain_config(const std::string& text, const std::string& path) {
  return ConfigText(path).plain(text);
}

}  // namespace skinbake::cli
