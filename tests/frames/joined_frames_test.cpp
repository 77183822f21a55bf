#include "frames/joined_frames.h"

#include <doctest/doctest.h>

#include "skinbake/error.h"

namespace skinbake {
namespace {

FramesOfPart part(const char* path, std::int64_t first, std::int64_t count, std::int64_t step = 1,
                  double fps = 30) {
  return {path, {fps, first, step, count}};
}

void check_refused(const std::vector<FramesOfPart>& parts, const std::string& code,
                   const std::string& words) {
  try {
    join_frames(parts);
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.code() == code);
    CHECK_MESSAGE(std::string(error.what()).find(words) != std::string::npos, error.what());
  }
}

}  // namespace

TEST_CASE("joined frames: one part is the whole") {
  const JoinedFrames joined = join_frames({part("a", 5, 3, 2)});
  CHECK(joined.frames.first_frame == 5);
  CHECK(joined.frames.frame_count == 3);
  CHECK(joined.order == std::vector<std::size_t>{0});
}

TEST_CASE("joined frames: parts are sorted by their frames") {
  const JoinedFrames joined =
      join_frames({part("c", 16, 1, 4), part("a", 0, 2, 4), part("b", 8, 2, 4)});
  CHECK(joined.order == std::vector<std::size_t>{1, 2, 0});
  CHECK(joined.frames.first_frame == 0);
  CHECK(joined.frames.frame_step == 4);
  CHECK(joined.frames.frame_count == 5);
}

TEST_CASE("joined frames: frames that are missing or twice there are named") {
  check_refused({part("a", 0, 5), part("b", 7, 2)}, "PARTS_INCOMPLETE", "frames 5 to 6: missing");
  check_refused({part("a", 0, 5), part("b", 6, 2)}, "PARTS_INCOMPLETE", "frame 5: missing");
  check_refused({part("a", 0, 5), part("b", 4, 2)}, "PARTS_INCOMPLETE", "frame 4: also in a");
  check_refused({part("a", 0, 9), part("b", 2, 3)}, "PARTS_INCOMPLETE", "frames 2 to 4: also in a");
  check_refused({part("a", 0, 2), part("a", 0, 2)}, "PARTS_INCOMPLETE", "frames 0 to 1: also in a");
}

TEST_CASE("joined frames: steps must be kept between two parts") {
  check_refused({part("a", 0, 3, 4), part("b", 10, 3, 4)}, "PARTS_INCOMPLETE", "from frame 12");
  check_refused({part("a", 0, 3, 4), part("b", 16, 3, 4)}, "PARTS_INCOMPLETE", "frame 12: missing");
}

TEST_CASE("joined frames: the whole clip is counted in the steps of the parts") {
  const FrameRange whole = whole_clip({30, 9, 4, 3}, 20);
  CHECK(whole.first_frame == 1);
  CHECK(whole.frame_step == 4);
  CHECK(whole.frame_count == 5);                         // 1, 5, 9, 13, 17
  CHECK(whole_clip({30, 9, 4, 3}, 5).frame_count == 5);  // frames after the end of the clip
}

TEST_CASE("joined frames: a first or last part that is missing is named") {
  const std::vector<FramesOfPart> parts{part("b", 20, 10), part("a", 10, 10)};
  const auto message = [&](const FrameRange& whole) {
    try {
      require_whole(parts, join_frames(parts), whole);
      return std::string();
    } catch (const Error& error) {
      return error.code() + " " + error.what();
    }
  };
  CHECK(message({30, 10, 1, 20}).empty());
  CHECK(message({30, 0, 1, 30}).starts_with("PARTS_INCOMPLETE a: frames 0 to 9: missing before"));
  CHECK(message({30, 10, 1, 21}).starts_with("PARTS_INCOMPLETE b: frame 30: missing after"));
  CHECK(message({30, 11, 1, 19}).starts_with("PARTS_INCOMPLETE a: frames 10 to 29 are those"));
  CHECK(message({30, 10, 1, 19}).starts_with("PARTS_INCOMPLETE b: frames 10 to 29 are those"));
  CHECK(message({30, 10, 2, 10}).starts_with("PARTS_DIFFER a: frames in steps of 1"));
}

TEST_CASE("joined frames: rates and steps must be equal") {
  check_refused({part("a", 0, 3), part("b", 3, 3, 1, 24)}, "PARTS_DIFFER", "frame rate '24'");
  check_refused({part("a", 0, 3), part("b", 3, 3, 2)}, "PARTS_DIFFER", "frame step '2'");
}

}  // namespace skinbake
