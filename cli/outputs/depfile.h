// The dependency file of a run: a rule for Make and Ninja.

#pragma once

#include <string>
#include <vector>

namespace skinbake::cli {

// "OUTPUTS: INPUTS", with Make's special characters escaped. Throws Error (kOutput, DEPFILE_NAME)
// for a name that a rule cannot contain.
std::string depfile_text(const std::vector<std::string>& outputs,
                         const std::vector<std::string>& inputs);

// A name as a rule of Make contains it. Throws as depfile_text.
std::string make_name(const std::string& name, bool is_target);

}  // namespace skinbake::cli
