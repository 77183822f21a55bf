// Ranges of frames that follow one another: parts of one run.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "skinbake/frames.h"

namespace skinbake {

struct FramesOfPart {
  std::string path;  // of the part's file, for messages
  FrameRange frames;
};

struct JoinedFrames {
  FrameRange frames;               // of all parts
  std::vector<std::size_t> order;  // indices of the parts, in the order of their frames
};

// Joins the ranges, which may be in any order. Throws Error (kInput): PARTS_DIFFER if their rates
// or steps differ, PARTS_INCOMPLETE if two have a frame in common or a frame between them is
// missing. Preconditions: there is a part; counts are positive; frame numbers are within 2^40 of 0.
JoinedFrames join_frames(const std::vector<FramesOfPart>& parts);

// The frames of a clip from 0 to clip_frame_count - 1, in the steps of parts that have some of them
// or go on after its end. Preconditions: as of join_frames(); clip_frame_count is positive.
FrameRange whole_clip(const FrameRange& joined, std::int64_t clip_frame_count);

// Throws Error (kInput): PARTS_DIFFER if the parts have another step than `whole`, PARTS_INCOMPLETE
// if the first or the last part is missing or is not of `whole`. `parts`: as given to
// join_frames().
void require_whole(const std::vector<FramesOfPart>& parts, const JoinedFrames& joined,
                   const FrameRange& whole);

// Throws Error (kInput, PARTS_DIFFER): the parts are not of one run. `what`: "method".
[[noreturn]] void throw_parts_differ(const std::string& path, const std::string& what,
                                     const std::string& value, const std::string& other_path,
                                     const std::string& other_value);

}  // namespace skinbake
