#include "report/per_vertex_path.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/paths.h"
#include "json/json_visitor.h"
#include "json/text.h"

namespace skinbake {

namespace {

// No command writes a report as large; this one would be read for half a minute.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

// Collects the texts "path" of objects "per_vertex", without building a document.
class ArrayCollector : public JsonVisitor {
 public:
  std::vector<std::string> take() { return std::move(names_); }

  bool start_object(std::size_t) override {
    ++depth_;
    if (member_ == "per_vertex") depth_of_errors_ = depth_;
    member_.clear();
    return true;
  }
  bool key(string_t& name) override {
    member_ = name;
    return true;
  }
  bool string(string_t& text) override {
    if (depth_ == depth_of_errors_ && member_ == "path") names_.push_back(std::move(text));
    return true;
  }
  bool end_object() override {
    if (depth_ == depth_of_errors_) depth_of_errors_ = 0;
    --depth_;
    member_.clear();
    return true;
  }
  bool start_array(std::size_t) override {
    ++depth_;
    member_.clear();
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }

 private:
  int depth_ = 0, depth_of_errors_ = 0;
  std::string member_;
  std::vector<std::string> names_;
};

}  // namespace

std::string per_vertex_path(const std::string& report, const std::vector<std::string>& names) {
  std::string ids;
  for (const std::string& name : names) ids += (ids.empty() ? "" : ".") + file_name_of(name);
  std::filesystem::path path(report);
  path.replace_extension();
  // file_name_of() also limits the length of the joined ids.
  return path.string() + (ids.empty() ? "" : "." + file_name_of(ids)) + ".per_vertex.npy";
}

std::vector<std::string> arrays_named_by(const std::string& report) {
  ArrayCollector arrays;
  if (!is_regular_file(report)) return {};
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(report, unknown);
  if (unknown || bytes > kMostBytes) return {};
  // A stream does not need memory for the whole text. A command that reads the report says what is
  // wrong with it.
  std::ifstream file(report, std::ios::binary);
  nlohmann::json::sax_parse(file, &arrays);
  const std::filesystem::path folder = std::filesystem::path(report).parent_path();
  std::vector<std::string> files;
  for (const std::string& name : arrays.take()) files.push_back((folder / name).string());
  return files;
}

}  // namespace skinbake
