#pragma once

#include "skinbake/caches.h"

namespace skinbake {

extern const CacheFormat kUsda;

}  // namespace skinbake
