#include "bake/relax.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "bake/block_loop.h"

namespace skinbake {

namespace {

// One method, one block.
template <class T>
class Relaxation {
 public:
  Relaxation(const Job& job, const BlockJoints& joints, std::size_t m, RelaxBuffers<T>& buffers)
      : job_(job),
        joints_(joints),
        m_(m),
        method_(job.methods[m]),
        vertices_(job.plan.rig->mesh->vertex_count()),
        buffers_(buffers) {
    for (AlignedArray<T>* array : {&buffers.from, &buffers.to}) allocate(*array);
    if (job.rig().morphs.empty()) return;
    for (AlignedArray<T>* array : {&buffers.rest_from, &buffers.rest_to}) allocate(*array);
  }

  // True if all positions are finite.
  bool run() {
    const int last = method_.sweep_count() - 1;
    const T* rest = nullptr;
    if (buffers_.rest_from.size() > 0) {
      evaluate_rest();
      find_origin(buffers_.rest_from);
      for (int sweep = 0; sweep < last; ++sweep) {
        relax(sweep, buffers_.rest_from, buffers_.rest_to);
      }
      std::copy_n(origin_.data(), kNumbersPerVertex, rest_origin_.data());
      rest = buffers_.rest_from.data();
    }
    evaluate_base();
    find_origin(buffers_.from);
    for (int sweep = 0; sweep < last; ++sweep) relax(sweep, buffers_.from, buffers_.to);
    relax(last, buffers_.from, buffers_.to, rest);
    return is_finite_;
  }

 private:
  void allocate(AlignedArray<T>& array) const {
    if (array.size() == 0) array = AlignedArray<T>(std::size_t{vertices_} * kNumbersPerVertex);
  }

  void evaluate_base() {
    for_each_tile(vertices_, [&](VertexRange tile) {
      auto task = joints_.template skin_task<T>(job_, method_.base, tile);
      task.positions = buffers_.from.data() + std::size_t{tile.first} * kNumbersPerVertex;
      if (!kernels<T>(job_.methods[method_.base].method).skin(task)) is_finite_ = false;
    });
  }

  void evaluate_rest() {
    for_each_tile(vertices_, [&](VertexRange tile) {
      auto task = joints_.template relax_task<T>(job_, m_, tile);
      task.to = buffers_.rest_from.data();
      kernels<T>(method_.method).place_rest(task);
    });
  }

  // The mean of at most kMost vertices, at even steps through the mesh.
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
      origin_[n] = std::isfinite(mean) ? static_cast<T>(mean)
                                       : 0;  // a position that is not finite must not affect others
    }
  }

  // Leaves the result in `from`.
  void relax(int sweep, AlignedArray<T>& from, AlignedArray<T>& to, const T* rest = nullptr) {
    for_each_tile(vertices_, [&](VertexRange tile) {
      auto task = joints_.template relax_task<T>(job_, m_, tile);
      task.sweep = sweep;
      task.from = from.data();
      task.to = to.data();
      task.origin = origin_.data();
      task.rest = rest;
      task.rest_origin = rest_origin_.data();
      if (!kernels<T>(method_.method).relax(task)) is_finite_ = false;
    });
    std::swap(from, to);
  }

  const Job& job_;
  const BlockJoints& joints_;
  std::size_t m_;
  const BoundMethod& method_;
  VertexIndex vertices_;
  RelaxBuffers<T>& buffers_;
  AlignedArray<T> origin_{kNumbersPerVertex}, rest_origin_{kNumbersPerVertex};
  std::atomic<bool> is_finite_ = true;
};

}  // namespace

template <class T>
const T* relaxed_positions(const Job& job, const BlockJoints& joints, std::size_t m,
                           RelaxBuffers<T>& buffers, bool& is_finite) {
  is_finite = Relaxation<T>(job, joints, m, buffers).run();
  return buffers.from.data();
}

template const float* relaxed_positions(const Job& job, const BlockJoints& joints, std::size_t m,
                                        RelaxBuffers<float>& buffers, bool& is_finite);
template const double* relaxed_positions(const Job& job, const BlockJoints& joints, std::size_t m,
                                         RelaxBuffers<double>& buffers, bool& is_finite);

}  // namespace skinbake
