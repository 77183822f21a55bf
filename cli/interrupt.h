// SIGINT and SIGTERM ask the run to stop; it then removes what it began and exits.

#pragma once

#include <atomic>

namespace skinbake::cli {

void install_signal_handlers();

// Until this is called a signal ends the process at once: nothing was begun that must be removed.
// From then on the run is asked to stop.
void finish_before_ending();

// For BakePlan::cancelled.
const std::atomic<bool>* interrupt_flag();

// The signal that came, or SIGINT.
int interrupted_by();

}  // namespace skinbake::cli
