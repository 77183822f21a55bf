// Long work that Ctrl-C ends.

#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <future>

namespace skinbake::python {

// Returns work(cancelled), which runs on a new thread without the GIL.
//
// Python handles signals on its main thread only. The calling thread therefore waits for the work
// and checks for signals. If a signal handler raises an exception (Ctrl-C: KeyboardInterrupt), the
// function sets `cancelled`, waits for the end of the work, and rethrows the exception. It also
// rethrows the exceptions of the work.
// Precondition: the caller holds the GIL.
template <class Work>
auto run_interruptibly(const Work& work) {
  constexpr std::chrono::milliseconds kBetweenChecks{50};
  std::atomic<bool> cancelled = false;
  auto result = std::async(std::launch::async, [&] { return work(cancelled); });
  const auto is_done_after = [&](std::chrono::milliseconds time) {
    const pybind11::gil_scoped_release release;
    return result.wait_for(time) == std::future_status::ready;
  };
  while (!is_done_after(kBetweenChecks)) {
    if (PyErr_CheckSignals() == 0) continue;
    const pybind11::error_already_set raised;
    cancelled = true;
    while (!is_done_after(kBetweenChecks)) continue;
    throw raised;
  }
  return result.get();
}

}  // namespace skinbake::python
