#include "bake/relax.h"

#include <atomic>
#include <utility>

#include "bake/block/block_loop.h"

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
    for (AlignedArray<T>* array : {&buffers.base, &buffers.first, &buffers.from, &buffers.to}) {
      allocate(*array);
    }
    if (job.rig().morphs.empty()) return;
    for (AlignedArray<T>* array : {&buffers.rest_base, &buffers.rest}) allocate(*array);
  }

  // Leaves the result in `from`. True if all positions are finite.
  bool run() {
    SurfaceArrays<T> surface;
    if (buffers_.rest_base.size() > 0) {
      evaluate_rest();
      displace(buffers_.rest_base);
      std::swap(buffers_.from, buffers_.rest);
      surface.rest_base = buffers_.rest_base.data();
      surface.rest = buffers_.rest.data();
    }
    evaluate_base();
    displace(buffers_.base);
    surface.base = buffers_.base.data();
    surface.from = buffers_.from.data();
    relax(method_.sweep_count() - 1, surface, buffers_.to);
    std::swap(buffers_.from, buffers_.to);
    return is_finite_;
  }

 private:
  void allocate(AlignedArray<T>& array) const {
    if (array.size() == 0) array = AlignedArray<T>(std::size_t{vertices_} * kNumbersPerVertex);
  }

  void evaluate_base() {
    for_each_tile(vertices_, [&](VertexRange tile) {
      auto task = joints_.template skin_task<T>(job_, method_.base, tile);
      task.positions = buffers_.base.data() + std::size_t{tile.first} * kNumbersPerVertex;
      if (!kernels<T>(job_.methods[method_.base].method).skin(task)) is_finite_ = false;
    });
  }

  void evaluate_rest() {
    for_each_tile(vertices_, [&](VertexRange tile) {
      auto task = joints_.template relax_task<T>(job_, m_, tile);
      task.to = buffers_.rest_base.data();
      kernels<T>(method_.method).place_rest(task);
    });
  }

  // All sweeps but the last: leaves the displacements from `base` in `from`.
  void displace(const AlignedArray<T>& base) {
    SurfaceArrays<T> surface;
    surface.base = base.data();
    const int last = method_.sweep_count() - 1;
    for (int sweep = 0; sweep < last; ++sweep) {
      relax(sweep, surface, sweep == 0 ? buffers_.first : buffers_.to);
      if (sweep > 0) std::swap(buffers_.from, buffers_.to);
      surface.first = buffers_.first.data();
      surface.from = sweep == 0 ? surface.first : buffers_.from.data();
    }
    if (last == 1) std::swap(buffers_.first, buffers_.from);
  }

  void relax(int sweep, const SurfaceArrays<T>& surface, AlignedArray<T>& to) {
    for_each_tile(vertices_, [&](VertexRange tile) {
      auto task = joints_.template relax_task<T>(job_, m_, tile);
      task.sweep = sweep;
      task.surface = surface;
      task.to = to.data();
      if (!kernels<T>(method_.method).relax(task)) is_finite_ = false;
    });
  }

  const Job& job_;
  const BlockJoints& joints_;
  std::size_t m_;
  const BoundMethod& method_;
  VertexIndex vertices_;
  RelaxBuffers<T>& buffers_;
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
