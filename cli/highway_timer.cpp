// Highway's library calls hwy::platform::TimerResolution whenever a program loads it, for its
// microbenchmarks: 5 ms, a third of a small bake. The loader prefers the program's definition of
// the function, which takes no time. skinbake does not use the microbenchmarks.

#include <hwy/nanobenchmark.h>

#include <cstdint>

namespace hwy::platform {

uint64_t TimerResolution() {
  return 1;
}

}  // namespace hwy::platform
