// The schedule: a pipeline over blocks. Blocks are computed by any thread in any order, merged in
// theirs; inside a block, threads that have nothing else to do share its tiles.

#include "bake/pipeline.h"

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_pipeline.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bake/arena.h"
#include "bake/block_normals.h"
#include "bake/slot.h"
#include "frames/transpose.h"
#include "rig/joint_tree.h"
#include "skinbake/error.h"
#include "skinbake/normals.h"

namespace skinbake {

namespace {

// What the blocks in flight may take together; one is always allowed.
constexpr std::size_t kBlockMemory = std::size_t{1} << 30;

// One pass over all frames.
class Pipeline {
 public:
  Pipeline(const Job& job, Pass pass, SinksOfRuns sinks, int threads)
      : plan_(job.plan), job_(job), pass_(pass), sinks_(std::move(sinks)) {
    const BakePlan& plan = plan_;
    const std::int64_t blocks = (plan.frames.frame_count + kFramesPerBlock - 1) / kFramesPerBlock;
    const std::size_t bytes_per_slot = std::size_t{plan.rig->mesh->vertex_count()} *
                                           kNumbersPerVertex * sizeof(float) * meshes_per_slot() +
                                       1;
    // As many blocks as threads: one more would keep a thread busy while another merges, but would
    // push the others' rows out of the cache before they are written.
    const std::int64_t by_memory = static_cast<std::int64_t>(kBlockMemory / bytes_per_slot);
    token_count_ = std::max<std::int64_t>(1, std::min({blocks, std::int64_t{threads}, by_memory}));
    if (job_.needs_tracking()) {
      tracker_.emplace(job_.rigid_factors, job_.sampler, plan.frames.fps, plan.cancelled);
    }
    for (std::int64_t i = 0; i < token_count_; ++i) {
      slots_.push_back(std::make_unique<Slot>(job_, sinks_));
    }
  }

  void run() {
    tbb::parallel_pipeline(
        static_cast<std::size_t>(token_count_),
        tbb::make_filter<void, Slot*>(tbb::filter_mode::serial_in_order,
                                      [this](tbb::flow_control& flow) { return next(flow); }) &
            tbb::make_filter<Slot*, Slot*>(tbb::filter_mode::parallel,
                                           [this](Slot* slot) { return compute(*slot); }) &
            tbb::make_filter<Slot*, void>(tbb::filter_mode::serial_in_order,
                                          [this](Slot* slot) { merge(*slot); }));
    for (const std::vector<FrameSink*>& sinks : sinks_) {
      for (FrameSink* sink : sinks) {
        sink->end();
        stop_if_cancelled();  // some take their time
      }
    }
  }

 private:
  // How many times the mesh's floats a slot may hold.
  std::size_t meshes_per_slot() const {
    std::size_t count = 1 + plan_.runs.size() + (has_reference_frames() ? 1 : 0);
    for (std::size_t r = 0; r < plan_.runs.size(); ++r) {
      count += normal_meshes(job_, r, sinks_[r]);
    }
    for (const Job::Evaluated& m : job_.methods) {
      if (m.sweep_count() == 0) continue;
      const std::size_t kept = job_.binding.morphs.empty() ? 1 : 2;  // and the rest
      count += kept * (job_.is_exact() ? 6 : 2);
    }
    return count;
  }

  void stop_if_cancelled() const {
    if (plan_.cancelled != nullptr && plan_.cancelled->load()) throw Cancelled();
  }

  Slot* next(tbb::flow_control& flow) {
    stop_if_cancelled();
    const std::int64_t first = next_block_ * kFramesPerBlock;
    if (first >= plan_.frames.frame_count) {
      flow.stop();
      return nullptr;
    }
    // Slots go round: there are as many as tokens, and tokens end in order.
    Slot& slot = *slots_[static_cast<std::size_t>(next_block_ % token_count_)];
    slot.block = {
        next_block_,
        first,
        static_cast<int>(std::min<std::int64_t>(kFramesPerBlock, plan_.frames.frame_count - first)),
        {0, plan_.rig->mesh->vertex_count()},
        nullptr,
        nullptr,
        nullptr};
    slot.bad = {};
    slot.tracked.clear();
    for (int lane = 0; tracker_ && lane < slot.block.frame_count; ++lane) {
      slot.tracked.push_back(tracker_->advance(plan_.frames.frame(first + lane)));
    }
    ++next_block_;
    return &slot;
  }

  // Surveys are shown positions alone, of those runs that have some.
  bool is_survey() const { return pass_ == Pass::kFirst; }
  bool is_idle(std::size_t r) const { return is_survey() && sinks_[r].empty(); }
  bool is_exact() const { return job_.is_exact() && !is_survey(); }
  bool has_method_reference() const { return job_.has_method_reference() && !is_survey(); }
  bool has_reference_frames() const {
    return plan_.reference.kind == Reference::Kind::kFrames && !is_survey();
  }

  Slot* compute(Slot& slot) {
    if (has_reference_frames()) {
      plan_.reference.frames->read(slot.block.first_frame, slot.block.frame_count,
                                   slot.reference_rows.data());
    }
    slot.joints.sample(job_, slot.block.first_frame, slot.block.frame_count, slot.tracked);
    for (std::size_t m = 0; m < slot.relaxed.size(); ++m) relax(slot, m);
    for_each_tile(slot.block.vertices.count,
                  [&](VertexRange vertices) { compute_tile(slot, vertices); });
    if (slot.bad.frame >= 0) return &slot;  // reported in order, by merge
    for (std::size_t r = 0; r < slot.runs.size(); ++r) {
      give_the_rest(job_, slot, r, whole_block(slot, r));
    }
    for_each_sink(slot, [&](FrameSink& sink, std::size_t r, BlockState& state) {
      sink.finish(whole_block(slot, r), state);
    });
    return &slot;
  }

  void relax(Slot& slot, std::size_t m) {
    if (job_.methods[m].sweep_count() == 0) return;
    const bool is_run = m < plan_.runs.size();
    if (is_run ? is_idle(m) : is_survey()) return;
    Slot::Relaxed& mine = slot.relaxed[m];
    mine.positions = relaxed(job_, slot.joints, m, mine.buffers, mine.finite);
    const bool exact = is_exact() && is_run;
    if (exact) mine.exact = relaxed(job_, slot.joints, m, mine.exact_buffers);
  }

  void compute_tile(Slot& slot, VertexRange vertices) {
    TileScratch& scratch = scratch_.local();
    FrameBlock tile = slot.block;
    tile.vertices = vertices;
    if (has_method_reference()) {
      tile.reference = evaluate(slot, job_.reference, vertices, scratch.reference.data());
    }
    if (has_reference_frames()) {
      to_lanes(slot, vertices, scratch.reference.data());
      tile.reference = scratch.reference.data();
    }
    for (std::size_t r = 0; r < plan_.runs.size(); ++r) {
      if (is_idle(r)) continue;
      Slot::Run& run = slot.runs[r];
      const bool is_reference = has_method_reference() && r == job_.reference;
      tile.positions =
          is_reference ? tile.reference : evaluate(slot, r, vertices, scratch.positions.data());
      if (is_exact()) tile.exact = evaluate_exact(slot, r, vertices, scratch);
      for (std::size_t s = 0; s < run.states.size(); ++s) {
        sinks_[r][s]->consume(tile, *run.states[s]);
      }
      give_skinned_tile(job_, slot, r, tile, scratch);
    }
  }

  // Some vertices of the reference's frames.
  void to_lanes(const Slot& slot, VertexRange vertices, float* lanes) const {
    const std::size_t row = std::size_t{plan_.rig->mesh->vertex_count()} * 3;
    transpose_from_rows(slot.reference_rows.data() + std::size_t{vertices.first} * 3, row,
                        std::size_t{vertices.count} * 3, slot.block.frame_count, lanes);
  }

  // The positions of some vertices: in `scratch`, unless the whole mesh is kept.
  const float* evaluate(Slot& slot, std::size_t m, VertexRange vertices, float* scratch) {
    const std::size_t first = std::size_t{vertices.first} * kNumbersPerVertex;
    const Slot::Relaxed& relaxed = slot.relaxed[m];
    if (relaxed.positions != nullptr) {
      if (!relaxed.finite) find_bad(slot, vertices, relaxed.positions + first);
      return relaxed.positions + first;
    }
    const bool is_kept = m < slot.runs.size() && slot.runs[m].whole.size() > 0;
    SkinTask<float> task = slot.joints.task(job_, m, vertices);
    task.positions = is_kept ? slot.runs[m].whole.data() + first : scratch;
    const bool finite = float_kernels(job_.methods[m].method).skin(task);
    if (!finite) find_bad(slot, vertices, task.positions);
    return task.positions;
  }

  static void find_bad(Slot& slot, VertexRange vertices, const float* positions) {
    const std::lock_guard lock(slot.bad_mutex);
    for (VertexIndex i = 0; i < vertices.count; ++i) {
      for (std::size_t n = 0; n < kNumbersPerVertex; ++n) {
        if (std::isfinite(positions[i * kNumbersPerVertex + n])) continue;
        slot.bad.take(static_cast<std::int64_t>(n % kFramesPerBlock), vertices.first + i);
      }
    }
  }

  const double* evaluate_exact(Slot& slot, std::size_t r, VertexRange vertices,
                               TileScratch& scratch) {
    if (slot.relaxed[r].exact != nullptr) {
      return slot.relaxed[r].exact + std::size_t{vertices.first} * kNumbersPerVertex;
    }
    if (scratch.exact.size() == 0) {
      scratch.exact = AlignedArray<double>(kVerticesPerTile * kNumbersPerVertex);
    }
    SkinTask<double> task = slot.joints.exact_task(job_, r, vertices);
    task.positions = scratch.exact.data();
    double_kernels(plan_.runs[r].method).skin(task);
    return scratch.exact.data();
  }

  void merge(Slot& slot) {
    if (slot.bad.frame >= 0) throw_non_finite(slot);
    for_each_sink(slot, [&](FrameSink& sink, std::size_t r, BlockState& state) {
      sink.merge(whole_block(slot, r), state);
    });
    show_progress(slot.block.first_frame + slot.block.frame_count);
  }

  // Of two passes each frame is half done after one.
  void show_progress(std::int64_t frames_done) const {
    if (!plan_.progress) return;
    if (pass_ == Pass::kSecond) frames_done += plan_.frames.frame_count;
    plan_.progress(pass_ == Pass::kOnly ? frames_done : frames_done / 2);
  }

  [[noreturn]] void throw_non_finite(const Slot& slot) const {
    const std::int64_t frame = plan_.frames.frame(slot.block.first_frame + slot.bad.frame);
    throw Error(ErrorKind::kInput, "NON_FINITE_POSITION",
                "mesh '" + plan_.rig->id + "', frame " + std::to_string(frame) + ", vertex " +
                    std::to_string(slot.bad.vertex) +
                    ": the position is not a finite number; look for huge or infinite transforms "
                    "in joint '" +
                    joint_id(*plan_.rig, plan_.rig->influences_of(slot.bad.vertex)[0].joint) +
                    "', which moves the vertex most, and above it");
  }

  template <class Visit>
  void for_each_sink(Slot& slot, const Visit& visit) {
    for (std::size_t r = 0; r < plan_.runs.size(); ++r) {
      for (std::size_t s = 0; s < slot.runs[r].states.size(); ++s) {
        visit(*sinks_[r][s], r, *slot.runs[r].states[s]);
      }
    }
  }

  static FrameBlock whole_block(const Slot& slot, std::size_t r) {
    FrameBlock block = slot.block;
    if (slot.runs[r].whole.size() > 0) block.positions = slot.runs[r].whole.data();
    if (slot.relaxed[r].positions != nullptr) block.positions = slot.relaxed[r].positions;
    return block;
  }

  const BakePlan& plan_;
  const Job& job_;
  Pass pass_;
  SinksOfRuns sinks_;
  std::int64_t token_count_ = 1;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::optional<JointTracker> tracker_;  // goes from block to block, in their order
  std::int64_t next_block_ = 0;
  tbb::enumerable_thread_specific<TileScratch> scratch_;
};

}  // namespace

void run_pass(const Job& job, Pass pass, SinksOfRuns sinks, int threads) {
  Pipeline(job, pass, std::move(sinks), threads).run();
}

}  // namespace skinbake
