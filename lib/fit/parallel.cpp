#include "fit/parallel.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "skinbake/error.h"

namespace skinbake::fit {

void Workers::run(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t, std::size_t)>& work) const {
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  arena.execute([&] {
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
