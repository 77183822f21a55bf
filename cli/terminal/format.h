// fmt::format, from the library that spdlog uses. fmt/core.h compiles in a fraction of the time of
// fmt/format.h.

#pragma once

#include <spdlog/tweakme.h>

#ifdef SPDLOG_FMT_EXTERNAL
#include <fmt/core.h>
#else
#include <spdlog/fmt/fmt.h>
#endif
