#include "bake/relax.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <utility>

namespace skinbake {

namespace {

constexpr std::size_t kNumbersPerVertex = 3 * kFramesPerBlock;

// SkinTask and RelaxTask of either precision.
template <class T>
struct Precision;
template <>
struct Precision<float> {
  static const auto& kernels(const Method& method) { return float_kernels(method); }
  static auto skin_task(const Job& job, const BlockJoints& joints, std::size_t m, VertexRange of) {
    return joints.task(job, m, of);
  }
  static auto relax_task(const Job& job, const BlockJoints& joints, std::size_t m, VertexRange of) {
    return joints.relax_task(job, m, of);
  }
};
template <>
struct Precision<double> {
  static const auto& kernels(const Method& method) { return double_kernels(method); }
  static auto skin_task(const Job& job, const BlockJoints& joints, std::size_t m, VertexRange of) {
    return joints.exact_task(job, m, of);
  }
  static auto relax_task(const Job& job, const BlockJoints& joints, std::size_t m, VertexRange of) {
    return joints.exact_relax_task(job, m, of);
  }
};

template <class T>
bool relax_whole(const Job& job, const BlockJoints& joints, std::size_t m,
                 RelaxBuffers<T>& buffers) {
  const Job::Evaluated& of = job.methods[m];
  const VertexIndex vertices = job.plan.rig->mesh->vertex_count();
  if (buffers.from.size() == 0) {
    buffers.from = AlignedArray<T>(std::size_t{vertices} * kNumbersPerVertex);
    buffers.to = AlignedArray<T>(std::size_t{vertices} * kNumbersPerVertex);
  }
  std::atomic<bool> finite = true;
  for_each_tile(vertices, [&](VertexRange tile) {
    auto task = Precision<T>::skin_task(job, joints, of.base, tile);
    task.positions = buffers.from.data() + std::size_t{tile.first} * kNumbersPerVertex;
    if (!Precision<T>::kernels(job.methods[of.base].method).skin(task)) finite = false;
  });
  for (int sweep = 0; sweep < of.sweep_count(); ++sweep) {
    for_each_tile(vertices, [&](VertexRange tile) {
      auto task = Precision<T>::relax_task(job, joints, m, tile);
      task.sweep = sweep;
      task.from = buffers.from.data();
      task.to = buffers.to.data();
      if (!Precision<T>::kernels(of.method).relax(task)) finite = false;
    });
    std::swap(buffers.from, buffers.to);
  }
  return finite;
}

}  // namespace

void for_each_tile(VertexIndex vertex_count, const std::function<void(VertexRange)>& visit) {
  const VertexIndex tiles = (vertex_count + kVerticesPerTile - 1) / kVerticesPerTile;
  tbb::parallel_for(VertexIndex{0}, tiles, [&](VertexIndex tile) {
    const VertexIndex first = tile * kVerticesPerTile;
    visit({first, std::min(kVerticesPerTile, vertex_count - first)});
  });
}

const float* relaxed(const Job& job, const BlockJoints& joints, std::size_t m,
                     RelaxBuffers<float>& buffers, bool& finite) {
  finite = relax_whole(job, joints, m, buffers);
  return buffers.from.data();
}

const double* relaxed(const Job& job, const BlockJoints& joints, std::size_t m,
                      RelaxBuffers<double>& buffers) {
  relax_whole(job, joints, m, buffers);
  return buffers.from.data();
}

}  // namespace skinbake
