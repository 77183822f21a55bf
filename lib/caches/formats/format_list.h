// The cache formats, each defined in its own file. formats.cpp lists them in the order shown to
// users.

#pragma once

#include "skinbake/caches.h"

namespace skinbake {

extern const CacheFormat kGlb;
extern const CacheFormat kMdd;
extern const CacheFormat kNpy;
extern const CacheFormat kPc2;
extern const CacheFormat kUsda;
extern const CacheFormat kVat;

}  // namespace skinbake
