#include "report/per_vertex.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/bytes.h"
#include "base/containers.h"
#include "base/output_file.h"
#include "base/random_access_file.h"
#include "json/json_cursor.h"
#include "report/limits.h"
#include "report/read/document.h"
#include "report/report.h"
#include "skinbake/memory.h"

namespace skinbake {

namespace {

using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little, "the file has the bytes of memory");

constexpr const char* kRows[] = {"rms", "max", "max_frame"};

// Replaces every NaN by the same NaN, because the sign bit of a computed NaN depends on the
// processor.
float to_float(double value) {
  return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(value);
}

Json to_json(float value) {
  return std::isfinite(value) ? Json(as_json_reads(value)) : Json(nullptr);
}

// The path of an array's file. An untrusted report may only name files in its own folder.
std::string path_beside(const std::string& report, const JsonCursor& name) {
  const std::string file = name.text();
  const bool is_name = !file.empty() && file != "." && file != ".." &&
                       file.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
  if (!is_name) name.fail("is not the name of a file beside the report");
  return (std::filesystem::path(report).parent_path() / file).string();
}

// The bytes of an array whose size and hash are those in the report.
std::string checked_bytes(const std::string& path, std::uint64_t size, const std::string& xxh128) {
  const RandomAccessFile file(path);
  std::string bytes;
  if (file.size() == size) {
    bytes.resize(static_cast<std::size_t>(size));
    file.read_at(bytes.data(), bytes.size(), 0);
    Xxh128 hash;
    hash.update(bytes.data(), bytes.size());
    if (hash.hex() == xxh128) return bytes;
  }
  throw Error("PER_VERTEX_INVALID", "differs from the array that was written with the report",
              {path, ""});
}

// Replaces `per_vertex` of one run by the arrays in the file at `path`.
void load_run(const std::string& path, const JsonCursor& cursor, std::uint64_t vertices,
              Json& per_vertex) {
  const std::string head = npy_head({std::ssize(kRows), static_cast<std::int64_t>(vertices)});
  const std::string bytes = checked_bytes(
      path, head.size() + vertices * std::size(kRows) * sizeof(float), cursor.at("xxh128").text());
  Json loaded{{"encoding", "json"}};
  const char* at = bytes.data() + head.size();
  for (const char* row : kRows) {
    Json::array_t numbers;
    numbers.reserve(static_cast<std::size_t>(vertices));
    for (std::uint64_t v = 0; v < vertices; ++v, at += sizeof(float)) {
      float value = 0;
      std::copy_n(at, sizeof value, reinterpret_cast<char*>(&value));
      numbers.push_back(to_json(value));
    }
    loaded[row] = std::move(numbers);
  }
  per_vertex = std::move(loaded);
}

// A member of a value that may not be an object; null: absent.
Json* member(Json* of, const char* key) {
  if (of == nullptr || !of->is_object()) return nullptr;
  const auto found = of->find(key);
  return found == of->end() ? nullptr : &*found;
}

std::size_t count_of(const Json* list) {
  return list != nullptr && list->is_array() ? list->size() : 0;
}

// The reference to a file of errors per vertex in one run; null: absent.
Json* filed_errors(Json& run) {
  Json* const per_vertex = member(member(&run, "error"), "per_vertex");
  const Json* const encoding = member(per_vertex, "encoding");
  return encoding != nullptr && *encoding == "npy" ? per_vertex : nullptr;
}

// The numbers of a mesh's runs, as bytes of their files and as JSON.
std::uint64_t bytes_of(const JsonCursor& mesh, Json& json) {
  Json* const runs = member(&json, "runs");
  std::uint64_t filed = 0;
  for (std::size_t r = 0; r < count_of(runs); ++r) filed += filed_errors((*runs)[r]) != nullptr;
  if (filed == 0) return 0;
  const auto vertices = static_cast<std::uint64_t>(mesh.at("vertex_count").integer(0, kMostCount));
  return saturated_product(filed * std::size(kRows) * (sizeof(float) + sizeof(Json)), vertices);
}

// Loads the arrays that the runs of meshes name. Readers of the report find its other faults.
class Loader {
 public:
  explicit Loader(const std::string& report) : report_(report) {}

  void load(const JsonCursor& mesh, Json& json) {
    Json* const runs = member(&json, "runs");
    if (count_of(runs) == 0) return;
    const std::vector<JsonCursor> cursors = mesh.at("runs").elements();
    for (std::size_t r = 0; r < count_of(runs); ++r) {
      Json* const per_vertex = filed_errors((*runs)[r]);
      if (per_vertex == nullptr) continue;
      const JsonCursor cursor = cursors[r].at("error").at("per_vertex");
      const std::string path = path_beside(report_, cursor.at("path"));
      std::error_code ignored;  // a name that is too long does not exist either
      if (!std::filesystem::exists(path, ignored)) {
        result.missing.push_back(cursor.at("path").text());
        continue;
      }
      const auto vertices =
          static_cast<std::uint64_t>(mesh.at("vertex_count").integer(0, kMostCount));
      load_run(path, cursor, vertices, *per_vertex);
      result.files.push_back(path);
    }
  }

  LoadedArrays result;

 private:
  const std::string& report_;
};

}  // namespace

PerVertexFile write_per_vertex(const RunRecord& run, OutputFile& file) {
  const PositionErrorResult::PerVertex& errors = run.error->per_vertex;
  const std::size_t vertices = errors.rms.size();
  std::vector<float> numbers;
  numbers.reserve(vertices * std::size(kRows));
  for (const std::vector<double>* row : {&errors.rms, &errors.max}) {
    for (const double value : *row) numbers.push_back(to_float(value));
  }
  for (const std::int64_t position : errors.max_frame) {
    numbers.push_back(static_cast<float>(run.frames.frame(position)));
  }
  const std::string head = npy_head({std::ssize(kRows), static_cast<std::int64_t>(vertices)});
  Xxh128 hash;
  hash.update(head.data(), head.size());
  hash.update(numbers.data(), numbers.size() * sizeof(float));
  file.write(head);
  file.write(numbers.data(), numbers.size() * sizeof(float));
  return {std::filesystem::path(file.path()).filename().string(), hash.hex()};
}

double as_json_reads(float value) {
  if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
  char digits[32];
  const char* const end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  double number = 0;
  std::from_chars(digits, end, number);
  return number;
}

std::uint64_t memory_of_arrays(Json& report, const std::string& path) {
  Json* const meshes = member(&report, "meshes");
  if (count_of(meshes) == 0) return 0;
  const std::vector<JsonCursor> cursors = JsonCursor(path, report).at("meshes").elements();
  std::uint64_t bytes = 0;
  for (std::size_t m = 0; m < cursors.size(); ++m) {
    bytes = saturated_sum(bytes, bytes_of(cursors[m], (*meshes)[m]));
  }
  return bytes;
}

LoadedArrays load_per_vertex(Json& report, const std::string& path, const MemoryShare& share) {
  Loader loader(path);
  Json* const meshes = member(&report, "meshes");
  if (count_of(meshes) == 0) return {};
  const std::vector<JsonCursor> cursors = JsonCursor(path, report).at("meshes").elements();
  loader.result.memory = memory_of_arrays(report, path);
  if (loader.result.memory > share.left()) refuse_reports(loader.result.memory, share, path);
  for (std::size_t m = 0; m < cursors.size(); ++m) loader.load(cursors[m], (*meshes)[m]);
  return std::move(loader.result);
}

}  // namespace skinbake
