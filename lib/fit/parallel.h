// Loops over vertices or frames on a limited number of threads. Iterations own disjoint outputs,
// so results do not depend on the number of threads.

#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace skinbake::fit {

struct Workers {
  int threads = 0;                               // 0: one per processor
  const std::atomic<bool>* cancelled = nullptr;  // may be null

  // Calls work(begin, end) for ranges that cover 0 … count, of at most `grain` elements. Throws
  // Cancelled, and what `work` throws.
  void run(std::size_t count, std::size_t grain,
           const std::function<void(std::size_t, std::size_t)>& work) const;
};

}  // namespace skinbake::fit
