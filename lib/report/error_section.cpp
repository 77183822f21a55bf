// `run.error` of the report.

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "report/sections.h"

namespace skinbake {
namespace {

constexpr std::size_t kWorstVertices = 10;  // of the report's contract

// The vertices with the largest errors. Ties: the lowest.
std::vector<std::size_t> worst_vertices(const PositionErrorResult::PerVertex& per_vertex) {
  std::vector<std::size_t> vertices(per_vertex.max.size());
  std::iota(vertices.begin(), vertices.end(), std::size_t{0});
  const auto end =
      vertices.begin() + static_cast<std::ptrdiff_t>(std::min(kWorstVertices, vertices.size()));
  std::partial_sort(vertices.begin(), end, vertices.end(), [&](std::size_t a, std::size_t b) {
    const double ma = per_vertex.max[a], mb = per_vertex.max[b];
    return ma != mb ? ma > mb : a < b;
  });
  vertices.erase(end, vertices.end());
  return vertices;
}

std::int64_t primitive_of(const Mesh& mesh, std::size_t vertex) {
  for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
    const Primitive& primitive = mesh.primitives[p];
    if (vertex - primitive.first_vertex < primitive.vertex_count) return static_cast<int>(p);
  }
  return -1;
}

void write_per_frame(const PositionErrorResult::PerFrame& per_frame, JsonWriter& json) {
  json.key("per_frame").begin_object();
  json.key("rms").numbers(per_frame.rms);
  json.key("mean").numbers(per_frame.mean);
  json.key("max").numbers(per_frame.max);
  json.key("max_vertex").numbers(per_frame.max_vertex);
  json.key("p50").numbers(per_frame.p50);
  json.key("p95").numbers(per_frame.p95);
  json.key("p99").numbers(per_frame.p99);
  json.end_object();
}

void write_worst_vertices(const RunContext& context, const PositionErrorResult& error,
                          JsonWriter& json) {
  const PositionErrorResult::PerVertex& per_vertex = error.per_vertex;
  json.key("worst_vertices").begin_line_array();
  for (const std::size_t v : worst_vertices(per_vertex)) {
    json.begin_object();
    json.key("vertex").value(v);
    json.key("primitive").value(primitive_of(*context.rig.mesh, v));
    json.key("rms").value(per_vertex.rms[v]).key("max").value(per_vertex.max[v]);
    json.key("frame").value(context.run.frames.frame(per_vertex.max_frame[v]));
    json.end_object();
  }
  json.end_array();
}

// There may be millions: float32 is written, with the digits that it needs.
std::vector<float> rounded(const std::vector<double>& values) {
  std::vector<float> floats(values.size());
  std::transform(values.begin(), values.end(), floats.begin(),
                 [](double value) { return static_cast<float>(value); });
  return floats;
}

void write_numbers(const FrameRange& frames, const PositionErrorResult::PerVertex& per_vertex,
                   JsonWriter& json) {
  json.key("per_vertex").begin_line_object();
  json.key("encoding").value("json");
  json.key("rms").numbers(rounded(per_vertex.rms));
  json.key("max").numbers(rounded(per_vertex.max));
  std::vector<std::int64_t> numbers;
  numbers.reserve(per_vertex.max_frame.size());
  for (const std::int64_t position : per_vertex.max_frame) {
    numbers.push_back(frames.frame(position));
  }
  json.key("max_frame").numbers(numbers);
  json.end_object();
}

void write_file(const PerVertexFile& file, std::size_t vertices, JsonWriter& json) {
  json.key("per_vertex").begin_line_object();
  json.key("encoding").value("npy");
  json.key("path").value(file.path).key("xxh128").value(file.xxh128);
  json.key("shape").numbers(std::array<std::int64_t, 2>{3, static_cast<std::int64_t>(vertices)});
  json.key("rows").strings(std::array<std::string, 3>{"rms", "max", "max_frame"});
  json.end_object();
}

}  // namespace

void write_error(const RunContext& context, const PositionErrorResult& error, JsonWriter& json) {
  const FrameRange& frames = context.run.frames;
  json.key("error").begin_object();
  json.key("unit").value("m");
  json.same_line().key("reference").value(context.run.reference);
  json.key("rms").value(error.rms);
  json.same_line().key("mean").value(error.mean);
  json.same_line().key("max").value(error.max);
  json.same_line();
  write_place("max_at", frames, error.max_at, json);
  json.key("rms_relative").value(error.rms_relative);
  json.same_line().key("max_relative").value(error.max_relative);
  json.same_line().key("erms").value(error.erms);
  json.same_line().key("kg_percent").value(error.kg_percent);
  write_per_frame(error.per_frame, json);
  write_worst_vertices(context, error, json);
  const auto& file = context.run.per_vertex_file;
  if (context.per_vertex == PerVertex::kJson) write_numbers(frames, error.per_vertex, json);
  if (context.per_vertex == PerVertex::kNpy && file) {
    write_file(*file, error.per_vertex.rms.size(), json);
  }
  json.end_object();
}

}  // namespace skinbake
