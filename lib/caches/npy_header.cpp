#include "caches/npy_header.h"

#include <charconv>

namespace skinbake {

namespace {

constexpr std::size_t kMostDimensions = 32;  // as NumPy has them

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  NpyHeader dictionary() {
    NpyHeader header;
    expect('{');
    while (!accept('}')) {
      entry(header);
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (!rest_.empty()) fail("something follows the dictionary");
    if (!has_descr_ || !has_order_ || !has_shape_) {
      fail("not all of 'descr', 'fortran_order' and 'shape' are there");
    }
    return header;
  }

 private:
  void entry(NpyHeader& header) {
    const std::string key = text();
    expect(':');
    if (key == "descr" && !has_descr_) {
      header.descr = description();
      has_descr_ = true;
    } else if (key == "fortran_order" && !has_order_) {
      header.fortran_order = truth();
      has_order_ = true;
    } else if (key == "shape" && !has_shape_) {
      header.shape = tuple();
      has_shape_ = true;
    } else {
      fail("the key '" + key + "' is unknown, or there twice");
    }
  }

  // A list describes an array of records.
  std::string description() {
    skip_space();
    if (rest_.starts_with('[')) fail("an array of records, not of positions");
    return text();
  }

  std::string text() {
    skip_space();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    if (quote != '\'' && quote != '"') fail("a quoted text is missing");
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) fail("a text has no end");
    const std::string_view inside = rest_.substr(1, end - 1);
    for (const char c : inside) {
      if (c == '\\' || c < 0x20 || c > 0x7e) fail("a text has characters that it should not have");
    }
    rest_.remove_prefix(end + 1);
    return std::string(inside);
  }

  bool truth() {
    skip_space();
    for (const std::string_view word : {std::string_view("True"), std::string_view("False")}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return word == "True";
    }
    fail("'fortran_order' is neither True nor False");
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> numbers;
    expect('(');
    while (!accept(')')) {
      numbers.push_back(number());
      if (numbers.size() > kMostDimensions) fail("'shape' has too many dimensions");
      if (accept(',')) continue;
      expect(')');
      break;
    }
    return numbers;
  }

  std::int64_t number() {
    skip_space();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value < 0) fail("'shape' has something that is no count");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  bool accept(char c) {
    skip_space();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(std::string("'") + c + "' is missing");
  }

  void skip_space() {
    const std::size_t n = rest_.find_first_not_of(" \n");
    rest_.remove_prefix(n == std::string_view::npos ? rest_.size() : n);
  }

  [[noreturn]] static void fail(const std::string& cause) { throw NpyHeaderError(cause); }

  std::string_view rest_;
  bool has_descr_ = false, has_order_ = false, has_shape_ = false;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text) {
  return Parser(text).dictionary();
}

}  // namespace skinbake
