// Two JSON reports, value by value.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "base/random_access_file.h"
#include "skinbake/diff.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;
constexpr std::size_t kChangesListed = 1000;
constexpr std::size_t kLongestText = 200;
constexpr int kDeepest = 256;  // a report needs 9

constexpr const char* kRemedy = "name a report that skinbake wrote with --report";

[[noreturn]] void fail_invalid(const std::string& path, const std::string& cause,
                               const std::string& remedy) {
  throw Error(ErrorKind::kInput, "REPORT_INVALID", cause + "; " + remedy, {path, ""});
}

struct ReadReport {
  Json json;
  InputFile input;
};

std::string text_of(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array of " + std::to_string(value.size());
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() <= kLongestText ? text : "a text of " + std::to_string(text.size()) + " bytes";
}

ReadReport read_report(const std::string& path, const char* role) {
  const RandomAccessFile file(path);
  if (file.size() > kLargest) {
    fail_invalid(path, "is larger than 1 GiB", "write reports with --per-vertex none");
  }
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.read_at(text.data(), text.size(), 0);
  ReadReport report;
  report.json = Json::parse(text, nullptr, false);
  if (report.json.is_discarded()) fail_invalid(path, "is not JSON", kRemedy);
  if (!report.json.is_object() || report.json.value("schema", Json()) != "skinbake.report") {
    fail_invalid(path, "is JSON, but not a skinbake.report", kRemedy);
  }
  const Json version = report.json.value("schema_version", Json());
  if (!version.is_string() || !version.get<std::string>().starts_with("1.")) {
    fail_invalid(path, "its schema_version is " + text_of(version) + ", not 1.x", kRemedy);
  }
  Xxh128 hash;
  hash.update(text.data(), text.size());
  const std::filesystem::path typed(path);
  report.input = {role, typed.is_absolute() ? typed.filename().string() : path, text.size(),
                  hash.hex()};
  return report;
}

class Comparison {
 public:
  // `path`: of the first report.
  Comparison(const std::string& path, const ReportTolerance& tolerance)
      : path_(path), tolerance_(tolerance) {}

  // The reports' own members: without what only names files and the program.
  void compare_reports(const Json& a, const Json& b) {
    for (const auto& [key, value] : a.items()) {
      if (!is_named_only(key)) compare_member(key, &value, find(b, key));
    }
    for (const auto& [key, value] : b.items()) {
      if (!is_named_only(key) && !a.contains(key)) compare_member(key, nullptr, &value);
    }
  }

  ReportChanges result;

 private:
  static bool is_named_only(const std::string& key) {
    return key == "tool" || key == "inputs" || key == "outputs";
  }
  static const Json* find(const Json& object, const std::string& key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  void compare_member(const std::string& key, const Json* a, const Json* b) {
    const std::size_t length = pointer_.size();
    append_to_pointer(key);
    if (++depth_ > kDeepest) fail_invalid(path_, "nests deeper than any report", kRemedy);
    if (a == nullptr || b == nullptr) {
      add(a, b);
    } else {
      compare(*a, *b);
    }
    pointer_.resize(length);
    --depth_;
  }

  void append_to_pointer(const std::string& key) {
    pointer_ += '/';
    for (const char c : key) {
      if (c == '~' || c == '/') {
        pointer_ += c == '~' ? "~0" : "~1";
      } else {
        pointer_ += c;
      }
    }
  }

  void compare(const Json& a, const Json& b) {
    if (a.is_object() && b.is_object()) {
      for (const auto& [key, value] : a.items()) compare_member(key, &value, find(b, key));
      for (const auto& [key, value] : b.items()) {
        if (!a.contains(key)) compare_member(key, nullptr, &value);
      }
    } else if (a.is_array() && b.is_array() && a.size() == b.size()) {
      for (std::size_t i = 0; i < a.size(); ++i) compare_member(std::to_string(i), &a[i], &b[i]);
    } else {
      ++result.compared;
      if (!are_equal(a, b)) add(&a, &b);
    }
  }

  bool are_equal(const Json& a, const Json& b) const {
    if (!a.is_number() || !b.is_number()) return a == b;
    const double x = a.get<double>(), y = b.get<double>();
    const double scale = tolerance_.relative ? std::max(std::abs(x), std::abs(y)) : 1;
    return std::abs(x - y) <= tolerance_.value * scale;
  }

  void add(const Json* a, const Json* b) {
    ++result.count;
    if (result.changes.size() == kChangesListed) return;
    result.changes.push_back(
        {pointer_, a == nullptr ? "" : text_of(*a), b == nullptr ? "" : text_of(*b)});
  }

  const std::string& path_;
  ReportTolerance tolerance_;
  std::string pointer_;
  int depth_ = 0;
};

void require_same_kind(const Json& a, const Json& b) {
  const auto kind = [](const Json& report) { return text_of(report.value("command", Json())); };
  if (kind(a) == kind(b)) return;
  throw Error(
      ErrorKind::kNotComparable, "NOT_COMPARABLE",
      "not comparable: the first report's command is " + kind(a) + ", the second's " + kind(b));
}

}  // namespace

ReportChanges compare_reports(const std::string& a, const std::string& b,
                              const ReportTolerance& tolerance) {
  const ReadReport first = read_report(a, "a"), second = read_report(b, "b");
  require_same_kind(first.json, second.json);
  Comparison comparison(a, tolerance);
  comparison.compare_reports(first.json, second.json);
  comparison.result.a = first.input;
  comparison.result.b = second.input;
  return std::move(comparison.result);
}

}  // namespace skinbake
