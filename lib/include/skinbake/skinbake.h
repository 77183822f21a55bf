// Includes every public header. lib/README.md shows the use of the library.
//
// Conventions, unless a function states otherwise:
// - metres, seconds, radians, hertz; y up; arrays are [frame][vertex][axis];
// - references and pointers must stay valid during the call; null is allowed where it is mentioned;
// - functions throw Error (error.h) with a stable code, and std::bad_alloc;
// - functions may be called by several threads at once. An object with state (a sink, a writer, a
//   metric) serves one bake at a time.

#pragma once

#include "skinbake/bake.h"
#include "skinbake/bake_to.h"
#include "skinbake/caches.h"
#include "skinbake/clip.h"
#include "skinbake/clip_file.h"
#include "skinbake/compare.h"
#include "skinbake/error.h"
#include "skinbake/face.h"
#include "skinbake/fit.h"
#include "skinbake/fit_influences.h"
#include "skinbake/frames.h"
#include "skinbake/gltf.h"
#include "skinbake/human_clips.h"
#include "skinbake/humanoid.h"
#include "skinbake/in_between.h"
#include "skinbake/input_file.h"
#include "skinbake/measure.h"
#include "skinbake/methods.h"
#include "skinbake/metrics.h"
#include "skinbake/modifiers.h"
#include "skinbake/normals.h"
#include "skinbake/rig.h"
#include "skinbake/rig_changes.h"
#include "skinbake/stream_frames.h"
#include "skinbake/transform.h"
#include "skinbake/validate.h"
#include "skinbake/version.h"
