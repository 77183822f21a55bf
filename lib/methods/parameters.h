// A method's parameters as text: "sign=temporal,scale=joint".

#pragma once

#include <string_view>
#include <vector>

#include "skinbake/methods.h"

namespace skinbake {

std::vector<double> default_values(const MethodInfo& info);

// Sets what `text` says. Throws Error (kUsage), naming what there is.
void set_values(std::string_view text, Method& method);

}  // namespace skinbake
