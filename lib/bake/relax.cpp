#include "bake/relax.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
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

// One method that relaxes, one block.
template <class T>
class Relaxation {
 public:
  Relaxation(const Job& job, const BlockJoints& joints, std::size_t m, RelaxBuffers<T>& buffers)
      : job_(job),
        joints_(joints),
        m_(m),
        of_(job.methods[m]),
        vertices_(job.plan.rig->mesh->vertex_count()),
        buffers_(buffers) {
    const bool has_morphs = !job.binding.morphs.empty();
    for (AlignedArray<T>* array : {&buffers.from, &buffers.to}) allocate(*array);
    if (!has_morphs) return;
    for (AlignedArray<T>* array : {&buffers.rest_from, &buffers.rest_to}) allocate(*array);
  }

  // True if all positions are finite.
  bool run() {
    const int last = of_.sweep_count() - 1;
    const T* rest = nullptr;
    if (buffers_.rest_from.size() > 0) {
      place_rest();
      find_origin(buffers_.rest_from);
      for (int sweep = 0; sweep < last; ++sweep) {
        relax(sweep, buffers_.rest_from, buffers_.rest_to);
      }
      std::copy_n(origin_.data(), kNumbersPerVertex, rest_origin_.data());
      rest = buffers_.rest_from.data();
    }
    place_base();
    find_origin(buffers_.from);
    for (int sweep = 0; sweep < last; ++sweep) relax(sweep, buffers_.from, buffers_.to);
    relax(last, buffers_.from, buffers_.to, rest);
    return finite_;
  }

 private:
  void allocate(AlignedArray<T>& array) const {
    if (array.size() == 0) array = AlignedArray<T>(std::size_t{vertices_} * kNumbersPerVertex);
  }

  void place_base() {
    for_each_tile(vertices_, [&](VertexRange tile) {
      auto task = Precision<T>::skin_task(job_, joints_, of_.base, tile);
      task.positions = buffers_.from.data() + std::size_t{tile.first} * kNumbersPerVertex;
      if (!Precision<T>::kernels(job_.methods[of_.base].method).skin(task)) finite_ = false;
    });
  }

  void place_rest() {
    for_each_tile(vertices_, [&](VertexRange tile) {
      auto task = Precision<T>::relax_task(job_, joints_, m_, tile);
      task.to = buffers_.rest_from.data();
      Precision<T>::kernels(of_.method).place_rest(task);
    });
  }

  // The mean of some vertices, evenly over the mesh.
  void find_origin(const AlignedArray<T>& positions) {
    constexpr VertexIndex kMost = 1024;
    const VertexIndex stride = (vertices_ + kMost - 1) / kMost;
    double sums[kNumbersPerVertex] = {};
    double count = 0;
    for (std::size_t v = 0; v < vertices_; v += stride) {
      for (std::size_t n = 0; n < kNumbersPerVertex; ++n) {
        sums[n] += static_cast<double>(positions[v * kNumbersPerVertex + n]);
      }
      ++count;
    }
    for (std::size_t n = 0; n < kNumbersPerVertex; ++n) {
      const double mean = sums[n] / count;
      origin_[n] = std::isfinite(mean) ? static_cast<T>(mean) : 0;  // spread no bad position
    }
  }

  // The result is in `from`.
  void relax(int sweep, AlignedArray<T>& from, AlignedArray<T>& to, const T* rest = nullptr) {
    for_each_tile(vertices_, [&](VertexRange tile) {
      auto task = Precision<T>::relax_task(job_, joints_, m_, tile);
      task.sweep = sweep;
      task.from = from.data();
      task.to = to.data();
      task.origin = origin_.data();
      task.rest = rest;
      task.rest_origin = rest_origin_.data();
      if (!Precision<T>::kernels(of_.method).relax(task)) finite_ = false;
    });
    std::swap(from, to);
  }

  const Job& job_;
  const BlockJoints& joints_;
  std::size_t m_;
  const Job::Evaluated& of_;
  VertexIndex vertices_;
  RelaxBuffers<T>& buffers_;
  AlignedArray<T> origin_{kNumbersPerVertex}, rest_origin_{kNumbersPerVertex};
  std::atomic<bool> finite_ = true;
};

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
  finite = Relaxation<float>(job, joints, m, buffers).run();
  return buffers.from.data();
}

const double* relaxed(const Job& job, const BlockJoints& joints, std::size_t m,
                      RelaxBuffers<double>& buffers) {
  Relaxation<double>(job, joints, m, buffers).run();
  return buffers.from.data();
}

}  // namespace skinbake
