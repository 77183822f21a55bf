// A signal to end ends the process at once, whatever it computes, and leaves no output.

#pragma once

#include <shared_mutex>

namespace skinbake::cli {

void install_signal_handlers();

// Call before the first output is opened. From now on, a signal also removes the unfinished
// outputs. Further calls do nothing. `what_remains`: the end of the message, "nothing was written".
void remove_outputs_on_signal(const char* what_remains = "nothing was written");

// Call before the outputs get their names: the first signal then does nothing, as all outputs
// appear or none.
void ignore_signals();

// Exists while the outputs of a task get their names: a signal waits for it, and then ends the
// process before another task begins to name outputs.
class CommitGuard {
 public:
  CommitGuard();

 private:
  std::shared_lock<std::shared_mutex> lock_;
};

}  // namespace skinbake::cli
