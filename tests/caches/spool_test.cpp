#include "skinbake/spool.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include "skinbake/error.h"
#include "skinbake/play.h"
#include "support/frames.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

// $TMPDIR, until the end of a test.
class TemporaryVariable {
 public:
  explicit TemporaryVariable(const std::string& folder) { ::setenv("TMPDIR", folder.c_str(), 1); }
  ~TemporaryVariable() { ::unsetenv("TMPDIR"); }
};

}  // namespace

TEST_CASE("spool: gives back the frames that it was given, and leaves no file") {
  const test::TemporaryFolder folder;
  const TemporaryVariable variable(folder.path().string());
  const test::MemoryFrames source = test::numbered_frames(700, 53);
  const auto spool = make_spool(700, 53);
  play({&source, nullptr, {spool.get()}, 2, {}, nullptr});
  CHECK(folder.entry_count() == 0);
  REQUIRE(spool->frame_count() == 53);
  REQUIRE(spool->vertex_count() == 700);
  std::vector<float> rows(source.positions.size());
  spool->read(0, 53, rows.data());
  CHECK((rows == source.positions));
  rows.resize(700 * 3 * 2);
  spool->read(50, 2, rows.data());
  CHECK(std::equal(rows.begin(), rows.end(), source.positions.begin() + 50 * 700 * 3));
}

TEST_CASE("spool: a folder that is not there, or not large enough, is an output error") {
  const test::TemporaryFolder folder;
  {
    const TemporaryVariable variable(folder / "none");
    try {
      make_spool(1, 1);
      FAIL("made");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kOutput);
      CHECK(std::string(error.what()).find("TMPDIR") != std::string::npos);
    }
  }
  const TemporaryVariable variable(folder.path().string());
  CHECK_THROWS_AS(make_spool(2147483647, 300000000), Error);
  CHECK(folder.entry_count() == 0);
}

}  // namespace skinbake
