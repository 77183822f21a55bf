#include "caches/temporary_frames.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include "skinbake/error.h"
#include "skinbake/frames.h"
#include "support/frames.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

// Sets $TMPDIR until the end of a test.
class TemporaryVariable {
 public:
  explicit TemporaryVariable(const std::string& folder) { ::setenv("TMPDIR", folder.c_str(), 1); }
  ~TemporaryVariable() { ::unsetenv("TMPDIR"); }
};

}  // namespace

TEST_CASE("temporary frames: reading returns the written frames, and no file remains") {
  const test::TemporaryFolder folder;
  const TemporaryVariable variable(folder.path().string());
  const test::MemoryFrames source = test::numbered_frames(700, 53);
  const auto temporary = make_temporary_frames(700, 53);
  stream_frames({&source, nullptr, {temporary.get()}, 2, {}, nullptr});
  CHECK(folder.entry_count() == 0);
  REQUIRE(temporary->frame_count() == 53);
  REQUIRE(temporary->vertex_count() == 700);
  std::vector<float> rows(source.positions.size());
  temporary->read(0, 53, rows.data());
  CHECK((rows == source.positions));
  rows.resize(700 * 3 * 2);
  temporary->read(50, 2, rows.data());
  CHECK(std::equal(rows.begin(), rows.end(), source.positions.begin() + 50 * 700 * 3));
}

TEST_CASE("temporary frames: a missing folder or a full disk is an output error") {
  const test::TemporaryFolder folder;
  {
    const TemporaryVariable variable(folder / "none");
    try {
      make_temporary_frames(1, 1);
      FAIL("made");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kOutput);
      CHECK(std::string(error.what()).find("TMPDIR") != std::string::npos);
    }
  }
  const TemporaryVariable variable(folder.path().string());
  CHECK_THROWS_AS(make_temporary_frames(2147483647, 300000000), Error);
  CHECK(folder.entry_count() == 0);
}

}  // namespace skinbake
