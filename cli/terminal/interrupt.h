// Signals (SIGINT, SIGTERM, …) end the process at once, and no unfinished output stays.

#pragma once

#include <functional>

namespace skinbake::cli {

void install_signal_handlers();

// Call before the first output is opened. From now on, a signal also removes the unfinished
// outputs. Further calls do nothing. The texts end the message about the signal, before and after
// the outputs have their names.
void remove_outputs_on_signal(const char* what_remains = "nothing was written",
                              const char* what_remains_after_commit = "the outputs are complete");

// Calls `commit`, which gives the outputs of a command or of a task their names. A signal waits for
// it, and then ends the process before another task begins to name outputs. Rethrows what `commit`
// throws.
void commit_uninterrupted(const std::function<void()>& commit);

}  // namespace skinbake::cli
