#include "metrics/measure.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/aligned_array.h"
#include "skinbake/frames.h"

namespace skinbake::test {

namespace {

template <class T>
const T& value(const std::vector<SectionField>& fields, std::string_view key) {
  const std::size_t dot = key.find('.');
  for (const SectionField& field : fields) {
    if (field.key != key.substr(0, dot)) continue;
    if (dot == std::string_view::npos) return std::get<T>(field.value);
    return value<T>(std::get<std::vector<SectionField>>(field.value), key.substr(dot + 1));
  }
  throw std::out_of_range("unknown key " + std::string(key));
}

struct Collector {
  std::string name;
  std::vector<NamedNumber>& out;

  void operator()(double number) const { out.push_back({name, number}); }
  void operator()(std::int64_t number) const { out.push_back({name, double(number)}); }
  void operator()(bool truth) const { out.push_back({name, truth ? 1.0 : 0.0}); }
  void operator()(const std::string&) const {}
  void operator()(const FrameOfRun& frame) const { (*this)(frame.position); }
  void operator()(const Place& p) const {
    for (const std::int64_t i : {p.frame, p.vertex, p.triangle, p.edge[0], p.edge[1]}) (*this)(i);
  }
  template <class T>
  void operator()(const std::vector<T>& values) const {
    for (const T& one : values) (*this)(one);
  }
  void operator()(const SectionField& field) const {
    std::visit(Collector{name + "." + std::string(field.key), out}, field.value);
  }
};

// Passes the normals of each block to a sink, as `bake` does.
class WithNormals final : public FrameSink {
 public:
  WithNormals(FrameSink& sink, const Motion& normals) : sink_(sink), normals_(normals) {}

  std::unique_ptr<BlockState> new_state() const override { return sink_.new_state(); }
  void consume(const FrameBlock& tile, BlockState& state) override { sink_.consume(tile, state); }
  void finish(const FrameBlock& block, BlockState& state) override {
    AlignedArray<float> lanes(block.vertices.count * std::size_t{3 * kFramesPerBlock});
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const std::size_t frame = static_cast<std::size_t>(block.first_frame) + i % kFramesPerBlock;
      const Vec3<double>& n =
          normals_[std::min(frame, normals_.size() - 1)][i / (3 * kFramesPerBlock)];
      const double axes[] = {n.x, n.y, n.z};
      lanes[i] = static_cast<float>(axes[i / kFramesPerBlock % 3]);
    }
    dynamic_cast<NormalReader&>(sink_).read_normals(block, lanes.data(), state);
    sink_.finish(block, state);
  }
  void merge(const FrameBlock& block, BlockState& state) override { sink_.merge(block, state); }
  void end() override { sink_.end(); }

 private:
  FrameSink& sink_;
  const Motion& normals_;
};

}  // namespace

MetricResult measure(std::string_view id, const Measured& measured) {
  BaselinePose baseline = bind_baseline(*measured.rig);
  if (measured.baseline == Baseline::kFirstFrame) {
    baseline.kind = Baseline::kFirstFrame;
    baseline.positions.clear();
    const Points& points =
        measured.baseline_points != nullptr ? *measured.baseline_points : measured.motion->front();
    for (const Vec3<double>& p : points) {
      for (const double x : {p.x, p.y, p.z}) {
        baseline.positions.push_back(double{static_cast<float>(x)});
      }
    }
  }
  const Topology topology = build_topology(*measured.rig, baseline);
  MetricInput input{
      measured.rig,
      measured.clip,
      {30, measured.first_frame, 1, static_cast<std::int64_t>(measured.motion->size())},
      Space::kScene,
      &baseline,
      [&]() -> const Topology& { return topology; }};
  for (const MetricInfo& metric : metrics()) {
    if (metric.id != id) continue;
    const auto made = metric.make(input);
    if (!made->needs_other_frames()) {
      const Feed feed{measured.motion, nullptr, false, measured.order};
      if (measured.normals != nullptr && dynamic_cast<NormalReader*>(made.get()) != nullptr) {
        WithNormals with_normals(*made, *measured.normals);
        run(feed, with_normals);
      } else {
        run(feed, *made);
      }
    }
    while (const auto frames = made->next_frames()) {
      Motion motion;  // a selection of the frames, repeated
      for (std::int64_t k = 0; k < frames->frame_count; ++k) {
        const auto f = static_cast<std::size_t>(k % 2 == 0 ? k / 2 : 7 * k);
        motion.push_back((*measured.motion)[f % measured.motion->size()]);
      }
      run({&motion, nullptr, false, measured.order}, *made);
    }
    return made->result();
  }
  throw std::out_of_range("unknown metric " + std::string(id));
}

std::vector<std::string_view> shape_metrics() {
  std::vector<std::string_view> ids;
  for (const MetricInfo& metric : metrics()) {
    if (metric.make != nullptr) ids.push_back(metric.id);
  }
  return ids;
}

double number(const MetricResult& result, std::string_view key) {
  return value<double>(result.fields, key);
}
std::int64_t count(const MetricResult& result, std::string_view key) {
  return value<std::int64_t>(result.fields, key);
}
std::string text(const MetricResult& result, std::string_view key) {
  return value<std::string>(result.fields, key);
}
Place place(const MetricResult& result, std::string_view key) {
  return value<Place>(result.fields, key);
}
std::vector<double> numbers(const MetricResult& result, std::string_view key) {
  return value<std::vector<double>>(result.fields, key);
}
std::vector<std::int64_t> counts(const MetricResult& result, std::string_view key) {
  return value<std::vector<std::int64_t>>(result.fields, key);
}
std::vector<std::vector<SectionField>> objects(const MetricResult& result, std::string_view key) {
  return value<std::vector<std::vector<SectionField>>>(result.fields, key);
}

std::vector<NamedNumber> all_numbers(const MetricResult& result) {
  std::vector<NamedNumber> out;
  Collector{std::string(result.id), out}(result.fields);
  return out;
}

}  // namespace skinbake::test
