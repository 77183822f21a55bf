// Errors per vertex in files beside the report: NumPy arrays of float32 [row][vertex] with the rows
// rms, max and max_frame (frame numbers, exact below 2^24).

#include <bit>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <vector>

#include "base/bytes.h"
#include "base/containers.h"
#include "base/output_file.h"
#include "json/text.h"
#include "report/report.h"
#include "report/report_form.h"

namespace skinbake {

namespace {

static_assert(std::endian::native == std::endian::little, "the file has the bytes of memory");

constexpr const char* kRows[] = {"rms", "max", "max_frame"};

// Replaces every NaN by the same NaN, because the sign bit of a computed NaN depends on the
// processor.
float to_float(double value) {
  return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(value);
}

}  // namespace

std::string per_vertex_path(const std::string& report, const std::vector<std::string>& names) {
  std::string ids;
  for (const std::string& name : names) {
    if (!ids.empty()) ids += '.';
    ids += file_name_of(name);
  }
  std::filesystem::path path(report);
  path.replace_extension();
  // file_name_of() also limits the length of the joined ids.
  return path.string() + (ids.empty() ? "" : '.' + file_name_of(ids)) + ".per_vertex.npy";
}

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

}  // namespace skinbake
