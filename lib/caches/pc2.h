#pragma once

#include "skinbake/caches.h"

namespace skinbake {

extern const CacheFormat kPc2;

}  // namespace skinbake
