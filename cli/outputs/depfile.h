// --depfile: rules that Make and Ninja read.

#pragma once

#include <string>
#include <vector>

namespace skinbake::cli {

// The text of a depfile: a rule from the outputs to the inputs and to the files of the command
// line. A rule without prerequisites follows for each input that both tools can read, as by gcc
// -MP: without it, Make would not run the command if an input is missing. Throws Error (kOutput,
// DEPFILE_NAME).
std::string depfile_text(const std::vector<std::string>& outputs,
                         const std::vector<std::string>& inputs);

}  // namespace skinbake::cli
