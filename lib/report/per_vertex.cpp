#include "report/per_vertex.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "base/hash.h"
#include "base/npy_head.h"
#include "base/random_access_file.h"
#include "report/json_cursor.h"
#include "report/view_limits.h"
#include "skinbake/output_file.h"
#include "skinbake/report.h"

namespace skinbake {

namespace {

using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little, "NPY is written as it is in memory");

constexpr const char* kRows[] = {"rms", "max", "max_frame"};

// The sign of what is not a number is that of the processor.
float to_float(double value) {
  return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(value);
}

// As reports have it: the double that is nearest to the float's shortest decimal.
Json to_json(float value) {
  if (!std::isfinite(value)) return nullptr;
  char digits[32];
  const char* const end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  double number = 0;
  std::from_chars(digits, end, number);
  return number;
}

// A report says what it likes: nothing but its own folder is looked into.
std::string path_beside(const std::string& report, const JsonCursor& name) {
  const std::string file = name.text();
  const bool is_name = !file.empty() && file != "." && file != ".." &&
                       file.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
  if (!is_name) name.fail("is not the name of a file beside the report");
  return (std::filesystem::path(report).parent_path() / file).string();
}

// All bytes of the file if they are those that the report was written with.
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
  throw Error(ErrorKind::kInput, "PER_VERTEX_INVALID",
              "not the array that was written with the report; copy both again, or write the "
              "report again",
              {path, ""});
}

// The arrays of one run, in place of `per_vertex`.
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

// A member of what may not even be an object; null: there is none.
Json* member(Json* of, const char* key) {
  if (of == nullptr || !of->is_object()) return nullptr;
  const auto found = of->find(key);
  return found == of->end() ? nullptr : &*found;
}

std::size_t count_of(const Json* list) {
  return list != nullptr && list->is_array() ? list->size() : 0;
}

// The errors per vertex of one run if they are in a file; null: they are not.
Json* filed_errors(Json& run) {
  Json* const per_vertex = member(member(&run, "error"), "per_vertex");
  const Json* const encoding = member(per_vertex, "encoding");
  return encoding != nullptr && *encoding == "npy" ? per_vertex : nullptr;
}

// Loads what a mesh's runs name. What else is wrong with a report its readers say.
class Loader {
 public:
  Loader(const std::string& report, std::uint64_t max_memory)
      : report_(report), max_memory_(max_memory) {}

  void load(const JsonCursor& mesh, Json& json) {
    Json* const runs = member(&json, "runs");
    if (count_of(runs) == 0) return;
    const std::vector<JsonCursor> cursors = mesh.at("runs").elements();
    for (std::size_t r = 0; r < count_of(runs); ++r) {
      Json* const per_vertex = filed_errors((*runs)[r]);
      if (per_vertex == nullptr) continue;
      const JsonCursor cursor = cursors[r].at("error").at("per_vertex");
      const std::string path = path_beside(report_, cursor.at("path"));
      if (!std::filesystem::exists(path)) {
        result.missing.push_back(cursor.at("path").text());
        continue;
      }
      const auto vertices =
          static_cast<std::uint64_t>(mesh.at("vertex_count").integer(0, kMostCount));
      take(vertices);
      load_run(path, cursor, vertices, *per_vertex);
    }
  }

  LoadedArrays result;

 private:
  // The numbers, once as bytes and once as JSON.
  void take(std::uint64_t vertices) {
    result.memory += vertices * std::size(kRows) * (sizeof(float) + sizeof(Json));
    if (result.memory <= max_memory_) return;
    throw Error(ErrorKind::kInput, "MEMORY_LIMIT",
                "its errors per vertex need more memory than --max-memory allows; give more",
                {report_, ""});
  }

  const std::string& report_;
  std::uint64_t max_memory_;
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

LoadedArrays load_per_vertex(Json& report, const std::string& path, std::uint64_t max_memory) {
  Loader loader(path, max_memory);
  Json* const meshes = member(&report, "meshes");
  if (count_of(meshes) == 0) return {};
  const std::vector<JsonCursor> cursors = JsonCursor(path, report).at("meshes").elements();
  for (std::size_t m = 0; m < cursors.size(); ++m) loader.load(cursors[m], (*meshes)[m]);
  return std::move(loader.result);
}

}  // namespace skinbake
