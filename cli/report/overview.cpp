#include "report/overview.h"

#include <filesystem>
#include <set>

#include "json/text.h"

namespace skinbake::cli {

namespace {

// A file's name as a relative address: bytes that have a meaning there are escaped.
std::string address_of(const std::string& name) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string address;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
    if (is_plain) {
      address += c;
    } else {
      address += {'%', kDigits[byte / 16], kDigits[byte % 16]};
    }
  }
  return address;
}

}  // namespace

OverviewPages overview_pages(const std::string& output, const std::vector<std::string>& reports) {
  OverviewPages pages;
  if (output == "-") return pages;
  const std::filesystem::path overview(output);
  pages.back = address_of(overview.filename().string());
  std::set<std::string> used;
  for (const std::string& report : reports) {
    const std::string stem = file_name_of(std::filesystem::path(report).stem().string());
    std::string name = overview.stem().string() + "." + stem;
    for (int number = 2; !used.insert(name).second; ++number) {
      name = overview.stem().string() + "." + stem + "-" + std::to_string(number);
    }
    name += ".html";
    pages.paths.push_back((overview.parent_path() / name).string());
    pages.links.push_back(address_of(name));
  }
  return pages;
}

}  // namespace skinbake::cli
