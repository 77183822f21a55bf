// SIGINT, SIGTERM and SIGHUP end the process at once, whatever it computes, and leave no output.

#pragma once

namespace skinbake::cli {

void install_signal_handlers();

// Call before the first output is opened. From now on, a signal also removes the unfinished
// outputs.
void remove_outputs_on_signal();

// Call before the outputs get their names: the first signal then does nothing, as all outputs
// appear or none.
void ignore_signals();

}  // namespace skinbake::cli
