// SIGINT, SIGTERM and SIGHUP request the run to stop. It then removes its unfinished outputs and
// exits.

#pragma once

#include <atomic>
#include <string_view>

namespace skinbake::cli {

void install_signal_handlers();

// Call before the first output is opened. Until then, a signal ends the process at once;
// afterwards, it sets interrupt_flag().
void finish_before_ending();

// For BakePlan::cancelled.
const std::atomic<bool>* interrupt_flag();

// The received signal; SIGINT if there was none.
int interrupted_by();

// The message of a run that the signal ended.
std::string_view message_of_signal(int number);

}  // namespace skinbake::cli
