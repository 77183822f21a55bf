// So many threads and no more.

#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

#include <cstddef>

#include "bake/targets.h"

namespace skinbake {

// Calls work(threads), 0 being as many as there are processors.
template <class Work>
void in_arena(int wanted, const Work& work) {
  force_target_of_environment();
  const int threads = wanted > 0 ? wanted : tbb::info::default_concurrency();
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                            static_cast<std::size_t>(threads));
  tbb::task_arena(threads).execute([&] { work(threads); });
}

}  // namespace skinbake
