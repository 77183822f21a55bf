// The content of a vertex cache: its frames, its rate, and the box around its positions.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "inspect/inspect.h"
#include "inspect/inspection.h"
#include "json/text.h"
#include "math/bounds.h"

namespace skinbake {

namespace {

// The box around all finite positions, and the number of the others.
struct Extent {
  Box box;
  std::int64_t positions = 0, not_finite = 0;

  bool is_empty() const { return positions == not_finite; }
  void add_position(const std::array<float, 3>& position) {
    ++positions;
    if (std::all_of(position.begin(), position.end(), [](float x) { return std::isfinite(x); })) {
      box.add(position.data());
    } else {
      ++not_finite;
    }
  }
  void add(const Extent& other) {
    if (!other.is_empty()) box.add(other.box);
    positions += other.positions;
    not_finite += other.not_finite;
  }
};

class ExtentSink final : public FrameSink {
 public:
  std::unique_ptr<BlockState> new_state() const override { return std::make_unique<State>(); }
  bool needs_whole_block() const override { return true; }
  void consume(const FrameBlock&, BlockState&) override {}
  void finish(const FrameBlock& block, BlockState& state) override {
    Extent& extent = static_cast<State&>(state).extent;
    extent = {};
    for (VertexIndex v = 0; v < block.vertices.count; ++v) {
      const float* const p = block.position(v);
      for (int lane = 0; lane < block.frame_count; ++lane) {
        extent.add_position({p[lane], p[kFramesPerBlock + lane], p[2 * kFramesPerBlock + lane]});
      }
    }
  }
  void merge(const FrameBlock&, BlockState& state) override {
    extent_.add(static_cast<State&>(state).extent);
  }
  const Extent& extent() const { return extent_; }

 private:
  struct State final : BlockState {
    Extent extent;
  };
  Extent extent_;
};

Extent extent_of(const CacheReader& cache) {
  ExtentSink sink;
  StreamPlan plan;
  plan.frames = &cache;
  plan.sinks = {&sink};
  stream_frames(plan);
  return sink.extent();
}

// What the cache, and its sidecar if it belongs to the cache, state about the frames.
struct Stated {
  explicit Stated(const CacheReader& cache)
      : frames(cache.frames()), provenance(cache.known_provenance()) {
    if (provenance) frames = provenance->frames;
    const bool is_in_sidecar = provenance && frames.fps > 0;
    has_rate = is_in_sidecar || cache.has_times();
    if (!is_in_sidecar) frames.fps = cache.frames().fps;
    rate_by = cache.has_times() ? "the file" : "the sidecar";
    if (provenance && !provenance->is_complete) provenance.reset();
  }

  FrameRange frames;
  bool has_rate = false;
  std::string rate_by;
  std::optional<CacheProvenance> provenance;  // complete
};

std::string number(float value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.6g", static_cast<double>(value));
  return text.data();
}

std::string point(const std::array<float, 3>& p) {
  return "(" + number(p[0]) + ", " + number(p[1]) + ", " + number(p[2]) + ")";
}

std::string axes_text(const Stated& stated) {
  if (!stated.provenance) return "; no sidecar states the unit and the axes";
  const CacheAxes& axes = stated.provenance->axes;
  const std::string up = axes.up == CacheAxes::Up::kZ ? ", Z up" : ", Y up";
  if (axes.scale == 1) return " m" + up;
  return " in units of " + number(static_cast<float>(1 / axes.scale)) + " m" + up;
}

std::string bounds_text(const Extent& extent, const Stated& stated) {
  if (extent.is_empty()) return "none: no position is a finite number";
  return point(extent.box.min) + " to " + point(extent.box.max) + axes_text(stated);
}

std::string rate_text(const Stated& stated) {
  if (!stated.has_rate) return "not known: neither the file nor a sidecar states it";
  return number(static_cast<float>(stated.frames.fps)) + " fps, by " + stated.rate_by;
}

std::string frames_text(const Stated& stated) {
  const FrameRange& frames = stated.frames;
  const bool has_end = frames.is_end(frames.frame_count - 1);
  const std::int64_t last = frames.frame_count - (has_end ? 2 : 1);
  std::string text = std::to_string(frames.frame_count) + ", numbered from " +
                     std::to_string(frames.first_frame) + " to " +
                     std::to_string(frames.frame(last));
  if (frames.frame_step != 1) text += " in steps of " + std::to_string(frames.frame_step);
  if (has_end) text += ", and the end at " + number(static_cast<float>(frames.end_s)) + " s";
  return text;
}

std::string origin_text(const Stated& stated) {
  if (!stated.provenance) return "";
  const CacheProvenance& origin = *stated.provenance;
  std::string text = "  origin    ";
  if (!origin.mesh.empty()) text += "mesh '" + printable(origin.mesh) + "', ";
  if (origin.clips.empty()) {
    text += origin.clip.empty() ? "rest pose" : "clip '" + printable(origin.clip) + "'";
  } else {
    text += std::to_string(origin.clips.size()) + " clips, one after another";
  }
  return text + ", method " + printable(origin.method) + "\n";
}

OrderedJson extent_json(const Extent& extent) {
  if (extent.is_empty()) return {};
  const auto json = [](const std::array<float, 3>& point) -> OrderedJson {
    return {shortest(point[0]), shortest(point[1]), shortest(point[2])};
  };
  return {{"min", json(extent.box.min)}, {"max", json(extent.box.max)}};
}

}  // namespace

std::string cache_text(const CacheReader& cache) {
  const Stated stated(cache);
  const Extent extent = extent_of(cache);
  std::string text = "  " + std::string(cache.format().title) + ", " +
                     std::to_string(cache.bytes()) + " bytes\n  frames    " + frames_text(stated) +
                     "\n  rate      " + rate_text(stated) + "\n  vertices  " +
                     std::to_string(cache.vertex_count()) + "\n  bounds    " +
                     bounds_text(extent, stated) + "\n" + origin_text(stated);
  for (const CachePart& part : cache.parts()) {
    text += "  mesh      '" + printable(part.mesh) + "', " + std::to_string(part.vertex_count) +
            " vertices from " + std::to_string(part.first_vertex) + "\n";
  }
  if (extent.not_finite == 0) return text;
  return text + "  not finite: " + std::to_string(extent.not_finite) + " of " +
         std::to_string(extent.positions) + " positions\n";
}

OrderedJson cache_section(const CacheReader& cache) {
  const Stated stated(cache);
  const Extent extent = extent_of(cache);
  const CacheProvenance origin = stated.provenance.value_or(CacheProvenance());
  OrderedJson meshes = OrderedJson::array(), clips = OrderedJson::array(), axes;
  for (const CachePart& part : cache.parts()) meshes.push_back(part.mesh);
  if (meshes.empty() && !origin.mesh.empty()) meshes.push_back(origin.mesh);
  for (const CacheClip& clip : origin.clips) clips.push_back(clip.clip);
  if (clips.empty() && !origin.clip.empty()) clips.push_back(origin.clip);
  if (stated.provenance) {
    axes = {{"up", origin.axes.up == CacheAxes::Up::kZ ? "z" : "y"},
            {"units_per_metre", origin.axes.scale}};
  }
  OrderedJson section{{"format", cache.format().id},
                      {"frame_count", stated.frames.frame_count},
                      {"first_frame", stated.frames.first_frame},
                      {"frame_step", stated.frames.frame_step},
                      {"fps", stated.has_rate ? OrderedJson(stated.frames.fps) : OrderedJson()},
                      {"vertex_count", cache.vertex_count()},
                      {"bounds", extent_json(extent)},
                      {"not_finite_count", extent.not_finite},
                      {"axes", axes},
                      {"meshes", meshes},
                      {"clips", clips},
                      {"method", name_json(origin.method)}};
  const FrameRange& frames = stated.frames;
  if (frames.is_end(frames.frame_count - 1)) section["end_s"] = frames.end_s;
  return section;
}

}  // namespace skinbake
