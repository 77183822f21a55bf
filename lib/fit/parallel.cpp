#include "fit/parallel.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <map>

#include "skinbake/error.h"

namespace skinbake::fit {

void Workers::run(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t, std::size_t)>& work) const {
  // oneTBB warns on standard error if it cannot provide more threads than processors.
  const int processors = tbb::info::default_concurrency();
  const int concurrency = threads > 0 ? std::min(threads, processors) : processors;
  // A fit runs many short loops, and oneTBB does not give back all memory of an arena that ends.
  thread_local std::map<int, tbb::task_arena> arenas;
  arenas.try_emplace(concurrency, concurrency).first->second.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, grain),
        [&](const auto& range) {
          if (cancelled != nullptr && cancelled->load()) throw Cancelled();
          work(range.begin(), range.end());
        },
        tbb::simple_partitioner());
  });
}

}  // namespace skinbake::fit
