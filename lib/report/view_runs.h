// What a report measured, read back: its meshes, their runs and the runs' sections. Those of known
// metrics must be as the schema says; others are shown as far as they look like them.

#pragma once

#include <map>
#include <string>

#include "report/json_cursor.h"
#include "skinbake/report_view.h"

namespace skinbake {

using ClipFrames = std::map<std::string, FrameRange>;  // by the clip's id

ClipFrames clips_in(const JsonCursor& clips);
MeshView mesh_in(const JsonCursor& mesh, const ClipFrames& clips);

// "m", "m3", "rad", "1": shown beside numbers as it is, in every form.
std::string unit_in(const JsonCursor& unit);

}  // namespace skinbake
