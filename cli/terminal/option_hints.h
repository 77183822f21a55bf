// The options that resolve an error or an issue. Messages of the library do not name options of the
// tool: the tool appends them.

#pragma once

#include <string>
#include <string_view>

namespace skinbake::cli {

// "MESSAGE [CODE]", and " (option --max-memory)" if there is an option that the message does not
// name itself.
std::string with_hint(std::string_view message, std::string_view code);

}  // namespace skinbake::cli
