#include "arguments/argument_files.h"

#include <optional>
#include <string_view>
#include <utility>

#include "arguments/command_files.h"
#include "skinbake/error.h"

namespace skinbake::cli {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Reads the words of a file from its first character to its last.
class WordReader {
 public:
  WordReader(const std::string& path, std::string text) : path_(path), text_(std::move(text)) {}

  // The next word; none at the end.
  std::optional<std::string> next() {
    skip_spaces_and_comments();
    if (at_ == text_.size()) return {};
    std::string word;
    while (at_ < text_.size() && !is_space(text_[at_])) take(word);
    return word;
  }

 private:
  void skip_spaces_and_comments() {
    for (; at_ < text_.size(); ++at_) {
      const bool begins_line = at_ == line_start_;
      if (text_[at_] == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      } else if (is_space(text_[at_])) {
        if (begins_line) line_start_ = at_ + 1;
      } else if (text_[at_] == '#' && begins_line) {
        const std::size_t end = text_.find('\n', at_);
        at_ = (end == std::string::npos ? text_.size() : end) - 1;
      } else {
        return;
      }
    }
  }

  // Appends a character, or what stands in quotes.
  void take(std::string& word) {
    const char c = text_[at_++];
    if (c == '\\') {
      if (at_ == text_.size()) fail("ends with a backslash; remove it");
      word += text_[at_++];
    } else if (c == '\'' || c == '"') {
      const std::size_t end = text_.find(c, at_);
      if (end == std::string::npos) {
        fail("line " + std::to_string(line_) + ": a quote " + c + " is not closed; close it");
      }
      word.append(text_, at_, end - at_);
      at_ = end + 1;
    } else {
      word += c;
    }
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw Error(ErrorKind::kInput, "ARGUMENTS_INVALID", message, {path_, ""});
  }

  const std::string& path_;
  std::string text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;  // of the first character that is no space
  int line_ = 1;
};

bool names_file(const std::string& word) {
  return word.size() > 1 && word.front() == '@';
}

void append_words_of(const std::string& path, std::vector<std::string>& words) {
  WordReader reader(path, read_command_file(path, "ARGUMENTS_INVALID"));
  while (std::optional<std::string> word = reader.next()) {
    if (names_file(*word)) {
      throw Error(ErrorKind::kInput, "ARGUMENTS_INVALID",
                  "names another file of arguments, " + *word +
                      "; name it on the command line, or write --option=@… or ./@…",
                  {path, ""});
    }
    words.push_back(std::move(*word));
  }
}

}  // namespace

std::vector<std::string> with_argument_files(const std::vector<std::string>& words) {
  std::vector<std::string> all;
  bool has_ended = false;  // "--" was given
  for (const std::string& word : words) {
    has_ended = has_ended || word == "--";
    if (has_ended || !names_file(word)) {
      all.push_back(word);
    } else {
      append_words_of(word.substr(1), all);
    }
  }
  return all;
}

}  // namespace skinbake::cli
