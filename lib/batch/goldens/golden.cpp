#include "batch/goldens/golden.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "base/random_access_file.h"
#include "batch/goldens/blocks.h"
#include "json/json_text.h"
#include "json/print.h"
#include "rig/joint_tree.h"
#include "skinbake/compare.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// The index of the first number of a block that is not finite.
std::optional<std::size_t> first_not_finite(const std::vector<float>& rows) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [](float number) { return !std::isfinite(number); });
  if (found == rows.end()) return {};
  return static_cast<std::size_t>(found - rows.begin());
}

void require_finite(const std::vector<float>& rows, const std::string& path) {
  if (!first_not_finite(rows)) return;
  throw Error("NON_FINITE_POSITION", "a position is not a number; bake the cache again",
              {path, ""});
}

// A finite position as a multiple of the quantum. Throws if it is too large.
float quantized(float value, double quantum_m, const std::string& path) {
  if (quantum_m == 0) return value;
  const double steps = std::floor(double{value} / quantum_m + 0.5);
  constexpr double kMostSteps = 4194304;  // float32 keeps the multiples of the quantum apart
  if (std::abs(steps) <= kMostSteps) return static_cast<float>(steps * quantum_m);
  throw Error("QUANTUM_INVALID", path + ": a position is farther than 2^22 quanta from the origin");
}

// The positions of a sample in a block, [sample][frame][axis].
std::vector<float> rows_of_sample(const GoldenSample& sample, const std::vector<float>& rows,
                                  std::size_t frames) {
  const std::size_t row = rows.size() / frames;
  std::vector<float> positions;
  positions.reserve(sample.vertices.size() * frames * 3);
  for (const VertexIndex vertex : sample.vertices) {
    for (std::size_t f = 0; f < frames; ++f) {
      const float* at = rows.data() + f * row + std::size_t{vertex} * 3;
      positions.insert(positions.end(), at, at + 3);
    }
  }
  return positions;
}

void read_names(const CacheReader& cache, Golden& golden) {
  golden.frames = cache.frames();
  const auto provenance = cache.claimed_provenance();
  golden.clips = provenance && provenance->is_complete ? provenance->clips : cache.clips();
  if (golden.clips.size() < 2) golden.clips.clear();
  if (!provenance) return;
  if (provenance->is_complete) golden.space = provenance->space;
  golden.mesh = provenance->mesh;
  golden.clip = provenance->clip;
  golden.method = provenance->method;
  if (provenance->frames.fps > 0) golden.frames = provenance->frames;
}

}  // namespace

Golden make_golden(const CacheReader& cache, const Rig* rig, const GoldenOptions& options) {
  const std::int64_t count =
      options.vertices > 0 ? options.vertices : golden_sample_size(cache.vertex_count());
  Golden golden;
  golden.format = cache.format().id;
  golden.bytes = cache.bytes();
  golden.xxh128 = cache.xxh128();  // reads the whole cache
  golden.vertex_count = cache.vertex_count();
  golden.quantum_m = options.quantum_m;
  read_names(cache, golden);
  if (rig != nullptr) {
    require_comparable({cache.path(), cache.vertex_count(), 1},
                       {"its mesh '" + rig->id + "'", rig->mesh->vertex_count(), 1});
  }
  std::unique_ptr<FrameSource> turned;
  const FrameSource& source = in_metres(cache, turned);
  const auto frames = static_cast<std::size_t>(source.frame_count());
  for_each_block(
      source, [&](std::int64_t first, std::int64_t in_block, const std::vector<float>& rows) {
        require_finite(rows, cache.path());
        golden.blocks.push_back(hash_of_block(rows));
        const std::size_t row = rows.size() / static_cast<std::size_t>(in_block);
        if (first == 0) {
          const std::span<const float> rest = rig != nullptr
                                                  ? std::span<const float>(rig->mesh->positions)
                                                  : std::span<const float>(rows.data(), row);
          golden.sample = stratified_sample(rest, rig, count);
          golden.positions.resize(golden.sample.vertices.size() * frames * 3);
        }
        if (options.quantum_m > 0) {
          golden.sample_blocks.push_back(hash_of_block(
              rows_of_sample(golden.sample, rows, static_cast<std::size_t>(in_block))));
        }
        for (std::size_t s = 0; s < golden.sample.vertices.size(); ++s) {
          for (std::size_t f = 0; f < static_cast<std::size_t>(in_block); ++f) {
            const float* from = rows.data() + f * row + std::size_t{golden.sample.vertices[s]} * 3;
            float* to =
                golden.positions.data() + (s * frames + static_cast<std::size_t>(first) + f) * 3;
            for (int axis = 0; axis < 3; ++axis) {
              to[axis] = quantized(from[axis], options.quantum_m, cache.path());
            }
          }
        }
      });
  return golden;
}

std::optional<std::string> claimed_hash(const std::string& cache_path) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
  const std::string path = cache_path + ".json";
  if (!is_regular_file(path)) return {};
  const RandomAccessFile file(path);
  if (file.size() > kMostBytes) return {};
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.read_at(text.data(), text.size(), 0);
  nlohmann::json sidecar;
  if (parse_text(text, sidecar)) return {};
  try {
    if (sidecar.at("schema") != "skinbake.cache") return {};
    return sidecar.at("xxh128").get<std::string>();
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

std::vector<std::string> block_hashes(const CacheReader& cache) {
  std::unique_ptr<FrameSource> turned;
  std::vector<std::string> hashes;
  for_each_block(in_metres(cache, turned),
                 [&](std::int64_t, std::int64_t, const std::vector<float>& rows) {
                   hashes.push_back(hash_of_block(rows));
                 });
  return hashes;
}

namespace {

// Compares a cache with its golden, block by block.
class ComparedBlocks {
 public:
  // `frames`: of the cache.
  ComparedBlocks(const Golden& golden, std::size_t frames) : golden_(golden), frames_(frames) {}

  // Takes a block as for_each_block gives it.
  void take(std::int64_t first, std::int64_t in_block, const std::vector<float>& rows) {
    const std::int64_t block = first / kFramesPerBlock;
    if (hash_of_block(rows) == golden_.blocks[static_cast<std::size_t>(block)]) return;
    ++result.blocks;
    if (!result.first_block) result.first_block = block;
    const std::size_t row = rows.size() / static_cast<std::size_t>(in_block);
    is_seen_ = has_sample_moved(rows, static_cast<std::size_t>(in_block), block);
    for (std::size_t f = 0; f < static_cast<std::size_t>(in_block); ++f) {
      for (std::size_t s = 0; s < golden_.sample.vertices.size(); ++s) {
        measure(s, static_cast<std::size_t>(first) + f,
                rows.data() + f * row + std::size_t{golden_.sample.vertices[s]} * 3);
      }
    }
    result.unseen_blocks += !is_seen_;
    // Outside the sample the distance is unknown, unless there is none.
    const std::optional<std::size_t> at = first_not_finite(rows);
    if (!at) return;
    const auto vertex = static_cast<VertexIndex>(*at % row / 3);
    keep(kInfinite, static_cast<std::size_t>(first) + *at / row, vertex, "");
  }

  GoldenDifference result;

 private:
  static constexpr double kInfinite = std::numeric_limits<double>::infinity();

  // Whether the exact sample of a block differs from a golden with a quantum. A golden without
  // hashes of the sample does not tell.
  bool has_sample_moved(const std::vector<float>& rows, std::size_t in_block,
                        std::int64_t block) const {
    if (golden_.sample_blocks.empty()) return false;
    return hash_of_block(rows_of_sample(golden_.sample, rows, in_block)) !=
           golden_.sample_blocks[static_cast<std::size_t>(block)];
  }

  void measure(std::size_t s, std::size_t frame, const float* there) {
    const float* here = golden_.positions.data() + (s * frames_ + frame) * 3;
    is_seen_ =
        is_seen_ || (golden_.quantum_m == 0 && std::memcmp(here, there, 3 * sizeof(float)) != 0);
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double d = double{there[axis]} - here[axis];
      sum += d * d;
    }
    keep(std::isfinite(sum) ? std::sqrt(sum) : kInfinite, frame, golden_.sample.vertices[s],
         golden_.sample.joints.empty() ? "" : golden_.sample.joints[s]);
  }

  void keep(double distance, std::size_t frame, VertexIndex vertex, const std::string& joint) {
    if (!(distance > result.max_m)) return;
    result.max_m = distance;
    result.frame = golden_.frames.frame(static_cast<std::int64_t>(frame));
    result.vertex = vertex;
    result.joint = joint;
  }

  const Golden& golden_;
  std::size_t frames_;
  bool is_seen_ = false;  // whether the sample of the block differs in a bit
};

}  // namespace

GoldenDifference compare_with_golden(const Golden& golden, const CacheReader& cache) {
  require_comparable({"the golden", golden.vertex_count, golden.frames.frame_count},
                     {cache.path(), cache.vertex_count(), cache.frame_count()});
  std::unique_ptr<FrameSource> turned;
  const FrameSource& source = in_metres(cache, turned);
  ComparedBlocks compared(golden, static_cast<std::size_t>(source.frame_count()));
  for_each_block(source,
                 [&](std::int64_t first, std::int64_t in_block, const std::vector<float>& rows) {
                   compared.take(first, in_block, rows);
                 });
  GoldenDifference& difference = compared.result;
  difference.identical = difference.blocks == 0;
  difference.is_reordered = difference.max_m > 0 && is_reordered(golden, source);
  return std::move(difference);
}

namespace {

double squared_distance(const float* a, const float* b) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double d = double{a[axis]} - b[axis];
    sum += d * d;
  }
  return sum;
}

// The vertices that one joint moves most, of which some are chosen one by one.
class Region {
 public:
  Region(std::span<const float> positions, std::vector<VertexIndex> vertices)
      : positions_(positions),
        vertices_(std::move(vertices)),
        nearest_(vertices_.size(), std::numeric_limits<double>::infinity()) {}

  std::size_t size() const { return vertices_.size(); }
  bool is_used_up() const { return chosen_ == vertices_.size(); }

  // Precondition: a vertex is left.
  VertexIndex choose() {
    std::size_t best = end_of_axis();
    if (best == vertices_.size()) best = farthest();
    ++chosen_;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      nearest_[i] = std::min(nearest_[i], squared_distance(at(i), at(best)));
    }
    nearest_[best] = -1;  // chosen
    return vertices_[best];
  }

 private:
  const float* at(std::size_t i) const { return positions_.data() + std::size_t{vertices_[i]} * 3; }

  // The next end along an axis that is not chosen yet; size(): all six are.
  std::size_t end_of_axis() {
    for (; ends_ < 6; ++ends_) {
      const std::size_t axis = ends_ / 2;
      const float sign = ends_ % 2 == 0 ? -1.0F : 1.0F;
      std::size_t best = 0;
      for (std::size_t i = 1; i < vertices_.size(); ++i) {
        if (sign * at(i)[axis] > sign * at(best)[axis]) best = i;
      }
      if (nearest_[best] >= 0) return best;
    }
    return vertices_.size();
  }

  std::size_t farthest() const {
    return static_cast<std::size_t>(std::max_element(nearest_.begin(), nearest_.end()) -
                                    nearest_.begin());
  }

  std::span<const float> positions_;
  std::vector<VertexIndex> vertices_;
  std::vector<double> nearest_;  // squared distance from the chosen vertices; -1: chosen
  std::size_t ends_ = 0, chosen_ = 0;
};

// The joint with the largest weight; 0 without a rig.
JointIndex heaviest(const Rig* rig, VertexIndex v) {
  return rig == nullptr ? 0 : rig->influences_of(v).front().joint;
}

}  // namespace

std::int64_t golden_sample_size(std::int64_t vertices) {
  return std::min<std::int64_t>(vertices, std::clamp<std::int64_t>(vertices / 100, 8, 64));
}

GoldenSample stratified_sample(std::span<const float> positions, const Rig* rig,
                               std::int64_t count) {
  std::map<JointIndex, std::vector<VertexIndex>> by_joint;
  for (VertexIndex v = 0; v < positions.size() / 3; ++v) by_joint[heaviest(rig, v)].push_back(v);
  std::vector<Region> regions;
  for (auto& [joint, vertices] : by_joint) regions.emplace_back(positions, std::move(vertices));
  // If there are more joints than vertices, the largest regions have one.
  std::stable_sort(regions.begin(), regions.end(),
                   [](const Region& a, const Region& b) { return a.size() > b.size(); });
  GoldenSample sample;
  const auto most = std::min(static_cast<std::size_t>(count), positions.size() / 3);
  while (sample.vertices.size() < most) {
    for (Region& region : regions) {
      if (sample.vertices.size() == most) break;
      if (!region.is_used_up()) sample.vertices.push_back(region.choose());
    }
  }
  std::sort(sample.vertices.begin(), sample.vertices.end());
  for (const VertexIndex v : sample.vertices) {
    if (rig != nullptr) sample.joints.push_back(joint_id(*rig, heaviest(rig, v)));
  }
  return sample;
}

std::string_view to_string(GoldenResult::Status status) {
  constexpr std::array<std::string_view, 8> kWords{"identical", "within", "differs", "unseen",
                                                   "missing",   "new",    "renamed", "failed"};
  return kWords[static_cast<std::size_t>(status)];
}

void judge(const GoldenDifference& difference, std::optional<double> limit_m,
           GoldenResult& result) {
  using enum GoldenResult::Status;
  result.difference = difference;
  const bool is_within = limit_m && difference.max_m <= *limit_m;
  result.status = difference.identical           ? kIdentical
                  : !is_within                   ? kDiffers
                  : difference.unseen_blocks > 0 ? kUnseen
                                                 : kWithin;
}

namespace {

OrderedJson sample_json(const GoldenDifference& difference) {
  OrderedJson json{{"unit", "m"}, {"max", difference.max_m}};  // null if it is not a number
  if (!(difference.max_m > 0)) return json;
  json["frame"] = difference.frame;
  json["vertex"] = difference.vertex;
  if (!difference.joint.empty() && !difference.is_reordered) json["joint"] = difference.joint;
  return json;
}

OrderedJson result_json(const GoldenResult& result) {
  OrderedJson json{{"name", result.name},
                   {"mesh", result.mesh},
                   {"clip", result.clip},
                   {"status", to_string(result.status)},
                   {"passed", result.passed()}};
  if (!result.renamed_from.empty()) json["renamed_from"] = result.renamed_from;
  if (!result.message.empty()) json["message"] = result.message;
  if (result.is_compared()) {
    const GoldenDifference& difference = result.difference;
    json["blocks"] = result.all_blocks;
    json["blocks_that_differ"] = difference.blocks;
    json["first_block"] =
        difference.first_block ? OrderedJson(*difference.first_block) : OrderedJson();
    json["blocks_outside_sample"] = difference.unseen_blocks;
    json["order_differs"] = difference.is_reordered;
    json["sampled_vertices"] = result.sampled;
    json["sample"] = sample_json(difference);
  }
  if (result.status == GoldenResult::Status::kIdentical) {
    json["by_sidecar"] = result.difference.by_sidecar;
  }
  return json;
}

}  // namespace

std::string golden_results_json(std::span<const GoldenResult> results) {
  OrderedJson list = OrderedJson::array();
  for (const GoldenResult& result : results) list.push_back(result_json(result));
  return print({{"schema", "skinbake.golden.check"},
                {"schema_version", "1.0"},
                {"tool", {{"name", "skinbake"}, {"version", version()}}},
                {"results", std::move(list)}});
}

}  // namespace skinbake
