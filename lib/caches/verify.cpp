// Reads a cache back and compares it with its frames, computed once more. The difference covers
// every step between a computed number and its bytes on the disk.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "base/aligned_array.h"
#include "caches/axes.h"
#include "caches/cache_file.h"
#include "caches/mesh_cache.h"
#include "frames/transpose.h"
#include "rig/primitive_normals.h"
#include "skinbake/caches.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// The largest difference so far, and its position.
struct Worst {
  double difference = 0;
  std::int64_t frame = 0;  // position in the run
  VertexIndex vertex = 0;

  void take(const Worst& other) {
    if (other.difference > difference) *this = other;
  }
};

struct ComparedRows : BlockState {
  explicit ComparedRows(std::size_t row_size)
      : computed(row_size * kFramesPerBlock), stored(row_size) {}
  AlignedArray<float> computed;           // [frame][vertex][axis]
  AlignedArray<float> normals, tangents;  // of the same shape; empty: not compared
  AlignedArray<float> stored;             // one frame at a time
  Worst worst, worst_normal, worst_tangent;
};

// The distance of two positions; infinite if a coordinate is not a number.
double distance(const float* computed, const Vec3<double>& stored) {
  const double dx = stored.x - computed[0], dy = stored.y - computed[1];
  const double dz = stored.z - computed[2];
  const double d = std::sqrt(dx * dx + dy * dy + dz * dz);
  return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

[[noreturn]] void fail(const std::string& path, const std::string& cause) {
  throw Error("VERIFICATION_FAILED", "cannot be read back: " + cause + "; write it to another disk",
              {path, ""});
}

// The axes of the stored positions, and the vectors that a verifier compares beside them.
struct Compared {
  CacheAxes axes;
  std::optional<NormalKind> normals;
  std::vector<Primitive> without_normals;  // primitives that a file may contain without normals
  bool tangents = false;
};

class Verifier final : public CacheVerifier, public NormalReader {
 public:
  Verifier(const std::string& path, std::unique_ptr<StoredFrames> frames, const Compared& compared)
      : path_(path),
        frames_(std::move(frames)),
        compared_(compared),
        row_size_(static_cast<std::size_t>(frames_->vertex_count()) * 3) {}

  std::unique_ptr<BlockState> new_state() const override {
    auto rows = std::make_unique<ComparedRows>(row_size_);
    const std::size_t size = row_size_ * kFramesPerBlock;
    if (compared_.normals) rows->normals = AlignedArray<float>(size);
    if (wants_tangents()) rows->tangents = AlignedArray<float>(size);
    return rows;
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    transpose_to_rows(
        tile.positions, std::size_t{tile.vertices.count} * 3, tile.frame_count,
        static_cast<ComparedRows&>(state).computed.data() + std::size_t{tile.vertices.first} * 3,
        row_size_);
  }

  std::optional<NormalKind> wanted_normals() const override { return compared_.normals; }

  void read_normals(const FrameBlock& tile, const float* normals, BlockState& state) override {
    normals_to_rows(tile, normals, row_size_, static_cast<ComparedRows&>(state).normals.data());
  }

  bool wants_tangents() const override { return compared_.tangents; }

  void read_tangents(const FrameBlock& tile, const float* tangents, BlockState& state) override {
    tangents_to_rows(tile, tangents, row_size_, static_cast<ComparedRows&>(state).tangents.data());
  }

  void finish(const FrameBlock& block, BlockState& state) override {
    ComparedRows& rows = static_cast<ComparedRows&>(state);
    rows.worst = rows.worst_normal = rows.worst_tangent = {};
    for (int f = 0; f < block.frame_count; ++f) {
      const std::int64_t frame = block.first_frame + f;
      const std::size_t row = static_cast<std::size_t>(f) * row_size_;
      read(frame, rows.stored.data(), &StoredFrames::read);
      rows.worst.take(
          compare(frame, rows.computed.data() + row, rows.stored.data(), compared_.axes));
      if (!compared_.normals) continue;
      read(frame, rows.stored.data(), &StoredFrames::read_normals);
      leave_out_normals(rows.stored.data(), rows.normals.data() + row);
      rows.worst_normal.take(compare(frame, rows.normals.data() + row, rows.stored.data(), {}));
      if (!wants_tangents()) continue;
      read(frame, rows.stored.data(), &StoredFrames::read_tangents);
      rows.worst_tangent.take(compare(frame, rows.tangents.data() + row, rows.stored.data(), {}));
    }
  }

  void merge(const FrameBlock&, BlockState& state) override {
    const ComparedRows& rows = static_cast<const ComparedRows&>(state);
    worst_.take(rows.worst);
    worst_normal_.take(rows.worst_normal);
    worst_tangent_.take(rows.worst_tangent);
  }

  CacheDifference result() const override {
    return {worst_.difference, worst_.frame, worst_.vertex};
  }

  std::optional<NormalDifference> normals() const override {
    if (!compared_.normals) return std::nullopt;
    return NormalDifference{worst_normal_.difference, worst_normal_.frame, worst_normal_.vertex};
  }

  std::optional<NormalDifference> tangents() const override {
    if (!wants_tangents()) return std::nullopt;
    return NormalDifference{worst_tangent_.difference, worst_tangent_.frame, worst_tangent_.vertex};
  }

 private:
  using Read = void (StoredFrames::*)(std::int64_t, std::int64_t, float*) const;

  void read(std::int64_t frame, float* row, Read from) const {
    try {
      ((*frames_).*from)(frame, 1, row);
    } catch (const Error& error) {
      fail(path_, error.message());
    }
  }

  // Sets computed normals of a primitive to zero where the file has none for the whole primitive.
  void leave_out_normals(const float* stored, float* computed) const {
    for (const Primitive& primitive : compared_.without_normals) {
      const std::size_t first = std::size_t{primitive.first_vertex} * 3;
      const std::size_t numbers = std::size_t{primitive.vertex_count} * 3;
      if (!has_normals({stored + first, numbers})) std::fill_n(computed + first, numbers, 0.0F);
    }
  }

  Worst compare(std::int64_t frame, const float* computed, const float* stored,
                const CacheAxes& axes) const {
    Worst worst;
    for (std::size_t n = 0; n < row_size_; n += 3) {
      const double d = distance(computed + n, from_cache_axes(axes, stored + n));
      worst.take({d, frame, static_cast<VertexIndex>(n / 3)});
    }
    return worst;
  }

  std::string path_;  // the final path
  std::unique_ptr<StoredFrames> frames_;
  Compared compared_;
  std::size_t row_size_;
  Worst worst_, worst_normal_, worst_tangent_;
};

// The sign of a tangent is one number per vertex, the same in all frames.
void check_signs(const StoredFrames& frames, const Mesh& mesh, const std::string& path) {
  const std::vector<float> signs = frames.tangent_signs();
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    if (frames.has_tangents() && signs[v] == mesh.tangents[4 * v + 3]) continue;
    fail(path,
         "vertex " + std::to_string(v) + ": the sign of the tangent differs from what was written");
  }
}

}  // namespace

std::unique_ptr<StoredFrames> CacheWriter::read_back(const std::string& mesh) const {
  const CacheFormat& format = cache_format_of(path());
  if (format.read == nullptr)
    throw std::logic_error("a writer whose format does not have a reader must override read_back");
  return format.read(readable_path(), mesh);
}

void verify_bytes(const CacheWriter& writer) {
  for (const WrittenFile& file : writer.written_files()) {
    try {
      if (hash_of_file(file.readable_path) == file.xxh128) continue;
    } catch (const Error& error) {
      fail(file.path, error.message());
    }
    fail(file.path, "its content differs from what was written");
  }
}

std::unique_ptr<CacheVerifier> verify_cache(const CacheWriter& writer, const CacheHeader& header) {
  std::unique_ptr<StoredFrames> frames;
  try {
    frames = writer.read_back(header.rig != nullptr ? header.rig->id : "");
  } catch (const Error& error) {
    fail(writer.path(), error.message());
  }
  if (frames->vertex_count() != header.vertex_count() ||
      frames->frame_count() != header.frames.frame_count) {
    fail(writer.path(), "its counts of frames and vertices differ from what was written");
  }
  Compared compared{header.axes, {}, {}};
  if (writer.normal_bound()) compared.normals = header.normals;
  if (compared.normals == NormalKind::kSkinned) {
    compared.without_normals = primitives_without_normals(*header.rig->mesh);
  }
  if (compared.normals && !frames->has_normals()) {
    fail(writer.path(), "it does not have normals, but normals were written");
  }
  if (writer.tangent_bound()) {
    compared.tangents = true;
    check_signs(*frames, *header.rig->mesh, writer.path());
  }
  return std::make_unique<Verifier>(writer.path(), std::move(frames), compared);
}

// Rejects positions of a cache file that are not finite. The bake checks its positions itself; a
// file is untrusted.

namespace {

// The first position of a block that is not finite, by frame, then vertex.
struct FirstNonFinite : BlockState {
  std::mutex mutex;  // tiles of one block come from several threads
  int lane = kFramesPerBlock;
  VertexIndex vertex = 0;

  void take(int l, VertexIndex v) {
    const std::lock_guard lock(mutex);
    if (std::tie(l, v) < std::tie(lane, vertex)) std::tie(lane, vertex) = std::tie(l, v);
  }
};

class FiniteCheck final : public FrameSink {
 public:
  explicit FiniteCheck(const CacheReader& cache) : path_(cache.path()), frames_(cache.frames()) {}

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<FirstNonFinite>();
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    constexpr std::size_t kNumbersPerVertex = 3 * kFramesPerBlock;
    const std::size_t count = std::size_t{tile.vertices.count} * kNumbersPerVertex;
    bool finite = true;  // the loop does not branch, so that the compiler vectorises it
    for (std::size_t n = 0; n < count; ++n) finite &= std::isfinite(tile.positions[n]);
    if (finite) return;
    for (std::size_t n = 0; n < count; ++n) {
      if (std::isfinite(tile.positions[n])) continue;
      static_cast<FirstNonFinite&>(state).take(
          static_cast<int>(n % kFramesPerBlock),
          tile.vertices.first + static_cast<VertexIndex>(n / kNumbersPerVertex));
    }
  }

  void finish(const FrameBlock&, BlockState&) override {}

  // Blocks merge in the order of the frames, so the message does not depend on the threads.
  void merge(const FrameBlock& block, BlockState& state) override {
    const FirstNonFinite& first = static_cast<FirstNonFinite&>(state);
    if (first.lane == kFramesPerBlock) return;
    throw Error("NON_FINITE_POSITION",
                "frame " + std::to_string(frames_.frame(block.first_frame + first.lane)) +
                    ", vertex " + std::to_string(first.vertex) +
                    ": the position is not a finite number; export the cache again",
                {path_, ""});
  }

 private:
  std::string path_;
  FrameRange frames_;
};

}  // namespace

std::unique_ptr<FrameSink> finite_check(const CacheReader& cache) {
  return std::make_unique<FiniteCheck>(cache);
}

}  // namespace skinbake
