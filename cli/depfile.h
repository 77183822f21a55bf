// --depfile: a rule for Make and Ninja, from which they know when to run skinbake again.

#pragma once

#include <string>
#include <vector>

namespace skinbake::cli {

// "OUTPUTS: INPUTS" on a line, with what Make would take for syntax escaped. Throws Error (kOutput)
// for a name that no rule can hold.
std::string depfile_text(const std::vector<std::string>& outputs,
                         const std::vector<std::string>& inputs);

}  // namespace skinbake::cli
