#include <algorithm>
#include <vector>

#include "report/pages/escape.h"
#include "report/pages/pages.h"

namespace skinbake {

namespace {

// The name of the character: that of its rig without folders and extension. A report without a rig
// has its own name.
std::string stem_of(const ParsedReport& report) {
  const auto rig = std::find_if(report.inputs.begin(), report.inputs.end(),
                                [](const InputFile& input) { return input.role == "rig"; });
  std::string name = rig == report.inputs.end() ? report.name : rig->path;
  name.erase(0, name.find_last_of('/') + 1);
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

}  // namespace

std::string subject_of(std::span<const ParsedReport> reports) {
  constexpr std::size_t kMostNames = 3, kLongestName = 80;
  std::vector<std::string> names;
  for (const ParsedReport& report : reports) {
    std::string name = shortened(stem_of(report), kLongestName);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::string subject;
  for (std::size_t n = 0; n < std::min(names.size(), kMostNames); ++n) {
    subject += (n == 0 ? "" : ", ") + names[n];
  }
  return names.size() > kMostNames ? subject + ", …" : subject;
}

std::string page_head(const std::string& title, const std::vector<std::string_view>& hashes,
                      std::string_view more) {
  std::string scripts;
  for (const std::string_view hash : hashes) scripts += " 'sha256-" + std::string(hash) + "'";
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "style-src 'unsafe-inline'; script-src" +
         scripts + std::string(more) + "\">\n<title>" + escaped(title) + "</title>\n<style>\n" +
         std::string(page_style()) + "</style>\n</head>\n<body>\n";
}

// Escapes '<', which could begin a tag or a comment.
std::string without_tags(const std::string& json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) c == '<' ? safe += "\\u003c" : safe += c;
  return safe;
}

}  // namespace skinbake
