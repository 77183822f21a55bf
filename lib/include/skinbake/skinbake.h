// The whole public interface.

#pragma once

#include "skinbake/bake.h"
#include "skinbake/caches.h"
#include "skinbake/catalogue.h"
#include "skinbake/clip.h"
#include "skinbake/clip_file.h"
#include "skinbake/error.h"
#include "skinbake/extras.h"
#include "skinbake/frames.h"
#include "skinbake/gltf.h"
#include "skinbake/inspect.h"
#include "skinbake/methods.h"
#include "skinbake/metrics.h"
#include "skinbake/modifiers.h"
#include "skinbake/output_file.h"
#include "skinbake/report.h"
#include "skinbake/rig.h"
#include "skinbake/transform.h"
