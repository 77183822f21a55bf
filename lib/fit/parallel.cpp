#include "fit/parallel.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "skinbake/error.h"

namespace skinbake::fit {
namespace {

// A fit runs many short loops, and oneTBB does not give back all memory of an arena that ends.
// Arenas are therefore used again. They are no thread-local variables: the C library ends the
// program if it has no memory to register the destructor of one.
class Arenas {
 public:
  using Arena = std::unique_ptr<tbb::task_arena>;

  Arena take(int concurrency) {
    {
      const std::scoped_lock lock(mutex_);
      const auto found = idle_.find(concurrency);
      if (found != idle_.end()) return std::move(idle_.extract(found).mapped());
    }
    return std::make_unique<tbb::task_arena>(concurrency);
  }

  void give_back(int concurrency, Arena arena) {
    const std::scoped_lock lock(mutex_);
    idle_.emplace(concurrency, std::move(arena));
  }

 private:
  std::mutex mutex_;
  std::multimap<int, Arena> idle_;  // by concurrency
};

Arenas& arenas() {
  static Arenas all;
  return all;
}

}  // namespace

void Workers::run(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t, std::size_t)>& work) const {
  // oneTBB warns on standard error if it cannot provide more threads than processors.
  const int processors = tbb::info::default_concurrency();
  const int concurrency = threads > 0 ? std::min(threads, processors) : processors;
  Arenas::Arena arena = arenas().take(concurrency);
  arena->execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, grain),
        [&](const auto& range) {
          if (cancelled != nullptr && cancelled->load()) throw Cancelled();
          work(range.begin(), range.end());
        },
        tbb::simple_partitioner());
  });
  arenas().give_back(concurrency, std::move(arena));
}

}  // namespace skinbake::fit
