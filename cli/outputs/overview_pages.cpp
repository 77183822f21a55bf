#include "outputs/overview_pages.h"

#include <filesystem>
#include <set>
#include <system_error>

#include "base/random_access_file.h"
#include "json/text.h"
#include "report/pages/pages.h"

namespace skinbake::cli {

namespace {

// A path as a relative address: bytes that have a meaning there are escaped.
std::string address_of(const std::string& path) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string address;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.' || c == '/';
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

std::string address_from(const std::string& overview, const std::string& file) {
  const auto absolute = [](const std::filesystem::path& path) {
    std::error_code error;  // the path as it is, if the current folder is gone
    const std::filesystem::path found = std::filesystem::absolute(path, error);
    return (error ? path : found).lexically_normal();
  };
  const std::filesystem::path folder = absolute(overview).parent_path();
  return address_of(absolute(file).lexically_relative(folder).generic_string());
}

bool is_page_with_view(const std::string& path) {
  return head_of_file(path).find(kViewMark) != std::string::npos;
}

}  // namespace skinbake::cli
