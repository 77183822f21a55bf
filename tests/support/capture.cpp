#include "support/capture.h"

#include <atomic>

namespace skinbake::test {

namespace {

// One block of positions, of the reference and of the exact reference: [frame][vertex][axis].
struct Rows : BlockState {
  explicit Rows(std::size_t size) : positions(size), reference(size), exact(size) {}
  std::vector<float> positions, reference;
  std::vector<double> exact;
};

template <class T>
void copy_tile(const T* from, const FrameBlock& tile, std::size_t row_size, std::vector<T>& rows) {
  if (from == nullptr) return;
  for (int frame = 0; frame < tile.frame_count; ++frame) {
    T* row = rows.data() + static_cast<std::size_t>(frame) * row_size +
             std::size_t{tile.vertices.first} * 3;
    for (std::size_t i = 0; i < std::size_t{tile.vertices.count} * 3; ++i) {
      row[i] = from[i * kFramesPerBlock + static_cast<std::size_t>(frame)];
    }
  }
}

template <class T>
void append(const std::vector<T>& rows, std::size_t size, std::vector<T>& all) {
  all.insert(all.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(size));
}

}  // namespace

std::unique_ptr<BlockState> Capture::new_state() const {
  return std::make_unique<Rows>(std::size_t{vertex_count_} * 3 * kFramesPerBlock);
}

void Capture::consume(const FrameBlock& tile, BlockState& state) {
  auto& rows = static_cast<Rows&>(state);
  const std::size_t row_size = std::size_t{vertex_count_} * 3;
  copy_tile(tile.positions, tile, row_size, rows.positions);
  copy_tile(tile.reference, tile, row_size, rows.reference);
  copy_tile(tile.exact, tile, row_size, rows.exact);
}

void Capture::merge(const FrameBlock& block, BlockState& state) {
  const auto& rows = static_cast<const Rows&>(state);
  const std::size_t size = static_cast<std::size_t>(block.frame_count) * vertex_count_ * 3;
  append(rows.positions, size, positions);
  append(rows.reference, size, reference);
  append(rows.exact, size, exact);
  merged_blocks.push_back(block.index);
}

namespace {

// The normals and tangents of one block: [frame][vertex][axis].
struct NormalRows : BlockState {
  explicit NormalRows(std::size_t size) : normals(size), tangents(size) {}
  std::vector<float> normals, tangents;
  std::atomic<bool> has_normals = false, has_tangents = false;
};

}  // namespace

std::unique_ptr<BlockState> NormalCapture::new_state() const {
  return std::make_unique<NormalRows>(row_size_ * kFramesPerBlock);
}

void NormalCapture::read_normals(const FrameBlock& tile, const float* some, BlockState& state) {
  auto& rows = static_cast<NormalRows&>(state);
  copy_tile(some, tile, row_size_, rows.normals);
  rows.has_normals = some != nullptr;
}

void NormalCapture::read_tangents(const FrameBlock& tile, const float* some, BlockState& state) {
  auto& rows = static_cast<NormalRows&>(state);
  copy_tile(some, tile, row_size_, rows.tangents);
  rows.has_tangents = some != nullptr;
}

void NormalCapture::merge(const FrameBlock& block, BlockState& state) {
  const auto& rows = static_cast<const NormalRows&>(state);
  const std::size_t size = static_cast<std::size_t>(block.frame_count) * row_size_;
  if (rows.has_normals) append(rows.normals, size, normals);
  if (rows.has_tangents) append(rows.tangents, size, tangents);
}

NormalCapture captured_normals(BakePlan plan, NormalKind kind, std::string_view method) {
  NormalCapture capture(*plan.rig, kind);
  plan.runs = {{parse_method(method), {&capture}}};
  bake(plan);
  return capture;
}

BakePlan plan_of(const Rig& rig, const Clip* clip, std::int64_t frame_count, double fps) {
  BakePlan plan;
  plan.rig = &rig;
  plan.clip = clip;
  plan.frames = {fps, 0, 1, frame_count};
  plan.threads = 1;
  return plan;
}

Capture captured(BakePlan plan, std::string_view method) {
  Capture capture(*plan.rig);
  plan.runs = {{parse_method(method), {&capture}}};
  if (plan.reference.kind == Reference::Kind::kNone) plan.reference.kind = Reference::Kind::kExact;
  bake(plan);
  return capture;
}

Capture captured(const Rig& rig, const Clip* clip, std::int64_t frame_count,
                 std::string_view method) {
  return captured(plan_of(rig, clip, frame_count), method);
}

}  // namespace skinbake::test
