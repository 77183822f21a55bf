#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "skinbake/caches.h"
#include "skinbake/error.h"
#include "support/bytes.h"
#include "support/caches/golden.h"
#include "support/caches/two_by_two.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using test::bake_into;
using test::bytes_of;
using test::open_writer;
using test::plan_of;
using test::read_file;
using test::TemporaryFolder;
using test::TwoByTwo;

// clang-format off
constexpr unsigned char kPc2Golden[] = {
    'P', 'O', 'I', 'N', 'T', 'C', 'A', 'C', 'H', 'E', '2', 0,
    1, 0, 0, 0,           // version
    2, 0, 0, 0,           // points
    0, 0, 0, 0,           // start frame 0.0
    0, 0, 0x80, 0x3f,     // one frame per sample, 1.0
    2, 0, 0, 0,           // samples
    0, 0, 0x80, 0x3f,  0, 0, 0x00, 0x40,  0, 0, 0x40, 0x40,   // frame 0: 1, 2, 3
    0, 0, 0x80, 0xbf,  0, 0, 0x00, 0x00,  0, 0, 0x00, 0x3f,   //         -1, 0, 0.5
    0, 0, 0x80, 0x3f,  0, 0, 0x00, 0x40,  0, 0, 0x30, 0x41,   // frame 1: 1, 2, 11
    0, 0, 0x80, 0xbf,  0, 0, 0x00, 0x00,  0, 0, 0x08, 0x41,   //         -1, 0, 8.5
};
// clang-format on

// A file whose header differs from the defaults.
// clang-format off
constexpr unsigned char kPc2GoldenToRead[] = {
    'P', 'O', 'I', 'N', 'T', 'C', 'A', 'C', 'H', 'E', '2', 0,
    1, 0, 0, 0,           // version
    2, 0, 0, 0,           // points
    0, 0, 0x20, 0x41,     // start frame 10.0
    0, 0, 0x40, 0x40,     // three frames per sample, 3.0
    2, 0, 0, 0,           // samples
    0, 0, 0x80, 0x3f,  0, 0, 0x00, 0x40,  0, 0, 0x40, 0x40,   // sample 0: 1, 2, 3
    0, 0, 0x80, 0xbf,  0, 0, 0x00, 0x00,  0, 0, 0x00, 0x3f,   //          -1, 0, 0.5
    0, 0, 0x80, 0x3f,  0, 0, 0x00, 0x40,  0, 0, 0x30, 0x41,   // sample 1: 1, 2, 11
    0, 0, 0x80, 0xbf,  0, 0, 0x00, 0x00,  0, 0, 0x08, 0x41,   //          -1, 0, 8.5
};
// clang-format on

const std::string kPc2File = bytes_of(kPc2GoldenToRead);

template <class T>
std::string with(std::string bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
  return bytes;
}

FrameRange frames_of(const TemporaryFolder& folder, float start, float rate) {
  test::write_file(folder / "a.pc2", with(with(kPc2File, 20, start), 24, rate));
  return open_cache(folder / "a.pc2")->frames();
}

std::string refusal_of(const TemporaryFolder& folder, const std::string& bytes) {
  test::write_file(folder / "a.pc2", bytes);
  try {
    open_cache(folder / "a.pc2");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInput);
    CHECK(error.code() == "CACHE_INVALID");
    CHECK(error.location().file == folder / "a.pc2");
    CHECK(std::string(error.what()).find("; ") != std::string::npos);  // a remedy
    return error.what();
  }
  return "not refused";
}

}  // namespace

TEST_CASE("pc2: two vertices, two frames, byte for byte") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  const auto writer = open_writer(folder / "a.pc2", two.header(2));
  bake_into(*writer, plan_of(two.rig, &two.clip, 2));
  writer->commit();
  const std::string bytes = read_file(folder / "a.pc2");
  test::check_bytes(bytes, kPc2Golden);
}

TEST_CASE("pc2: a file has 32 + 12 V S bytes, and its rows are the frames") {
  const TemporaryFolder folder;
  const Rig rig = test::tube_of_many_tiles();
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  const auto expected = test::captured(rig, &clip, 21, "lbs");  // one block and a part of one
  CacheHeader header;
  header.rig = &rig;
  header.frames = {30, 0, 1, 21};
  const auto writer = open_writer(folder / "a.pc2", header);
  BakePlan plan = plan_of(rig, &clip, 21);
  plan.threads = 2;
  bake_into(*writer, plan);
  writer->commit();
  const std::string bytes = read_file(folder / "a.pc2");
  REQUIRE(bytes.size() == 32 + 12 * std::size_t{rig.mesh->vertex_count()} * 21);
  CHECK(writer->bytes() == bytes.size());
  CHECK(std::memcmp(bytes.data() + 32, expected.positions.data(), bytes.size() - 32) == 0);
}

TEST_CASE("pc2: the header has the number of the first frame and the frame step") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  CacheHeader header = two.header(3);
  header.frames = {24, 10, 5, 3};
  const auto writer = open_writer(folder / "a.pc2", header);
  BakePlan plan = plan_of(two.rig, &two.clip, 3);
  plan.frames = header.frames;
  bake_into(*writer, plan);
  writer->commit();
  float numbers[2];
  std::memcpy(numbers, read_file(folder / "a.pc2").data() + 20, sizeof numbers);
  CHECK(numbers[0] == 10);
  CHECK(numbers[1] == 5);
}

TEST_CASE("pc2: a number of a frame that float32 does not have is refused") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  CacheHeader header = two.header(2);
  header.frames = {1e8, 16'777'218, 1, 2};
  open_writer(folder / "a.pc2", header);
  header.frames.first_frame = 16'777'217;
  CHECK_THROWS_AS(open_writer(folder / "a.pc2", header), Error);
  header.frames = {1e8, 0, 16'777'217, 2};
  CHECK_THROWS_AS(open_writer(folder / "a.pc2", header), Error);
  CHECK(folder.entry_count() == 0);
}

TEST_CASE("pc2: no file exists before commit, nor after a writer is destroyed without commit") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  {
    const auto writer = open_writer(folder / "a.pc2", two.header(2));
    bake_into(*writer, plan_of(two.rig, &two.clip, 2));
    CHECK(folder.entry_count() == 0);
  }
  CHECK(folder.entry_count() == 0);
}

TEST_CASE("pc2: an existing cache stays if the run fails") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  test::write_file(folder / "a.pc2", "old");
  test::write_file(folder / "a.pc2.json", "old sidecar");
  {
    const auto writer = open_writer(folder / "a.pc2", two.header(2));
    BakePlan plan = plan_of(two.rig, &two.clip, 2);
    const std::atomic<bool> cancelled = true;
    plan.cancelled = &cancelled;
    CHECK_THROWS_AS(bake_into(*writer, plan), Cancelled);
  }
  CHECK(read_file(folder / "a.pc2") == "old");
  CHECK(read_file(folder / "a.pc2.json") == "old sidecar");
  CHECK(folder.entry_count() == 2);
}

TEST_CASE("pc2: an unwritable path fails before the first frame") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  std::filesystem::create_directory(folder / "b.pc2");
  CHECK_THROWS_AS(open_writer(folder / "b.pc2", two.header(2)), Error);
  std::filesystem::create_directory(folder / "c.pc2.json");  // the path of the sidecar
  CHECK_THROWS_AS(open_writer(folder / "c.pc2", two.header(2)), Error);
  CHECK_FALSE(std::filesystem::exists(folder / "c.pc2"));
}

TEST_CASE("pc2: more than 2^31 - 1 frames are refused without leaving a file") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  try {
    open_writer(folder / "a.pc2", two.header(std::int64_t{1} << 31));
    FAIL("not refused");
  } catch (const Error& error) {
    CHECK(error.code() == "CACHE_TOO_LARGE");
    CHECK(error.kind() == ErrorKind::kUsage);
  }
  CHECK(folder.entry_count() == 0);
  std::filesystem::create_symlink("/dev/null", folder / "a.pc2");  // takes no space
  CHECK_NOTHROW(open_writer(folder / "a.pc2", two.header((std::int64_t{1} << 31) - 1)));
}

TEST_CASE("pc2 reader: two vertices, two samples, byte for byte") {
  const TemporaryFolder folder;
  test::write_file(folder / "a.pc2", kPc2File);
  const auto cache = open_cache(folder / "a.pc2");
  CHECK(cache->format().id == "pc2");
  CHECK(cache->path() == folder / "a.pc2");
  CHECK(cache->bytes() == sizeof kPc2GoldenToRead);
  REQUIRE(cache->frame_count() == 2);
  REQUIRE(cache->vertex_count() == 2);
  CHECK(cache->frames().first_frame == 10);
  CHECK(cache->frames().frame_step == 3);
  CHECK(cache->frames().frame_count == 2);
  std::vector<float> rows(12);
  cache->read(0, 2, rows.data());
  CHECK(rows == std::vector<float>{1, 2, 3, -1, 0, 0.5, 1, 2, 11, -1, 0, 8.5});
  rows.assign(6, 0);
  cache->read(1, 1, rows.data());
  CHECK(rows == std::vector<float>{1, 2, 11, -1, 0, 8.5});
}

TEST_CASE("pc2 reader: the written positions are read back") {
  const TemporaryFolder folder;
  const Rig rig = test::tube({.rings = 40, .segments = 13});
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  CacheHeader header;
  header.rig = &rig;
  header.frames = {30, 0, 1, 21};
  const auto writer = cache_format_of("a.pc2").open(folder / "a.pc2", header);
  BakePlan plan = test::plan_of(rig, &clip, 21);
  plan.runs = {{parse_method("lbs"), {writer.get()}}};
  bake(plan);
  writer->commit();

  const auto expected = test::captured(rig, &clip, 21, "lbs");
  const auto cache = open_cache(folder / "a.pc2");
  REQUIRE(cache->frame_count() == 21);
  REQUIRE(cache->vertex_count() == rig.mesh->vertex_count());
  std::vector<float> rows(expected.positions.size());
  cache->read(0, 21, rows.data());
  CHECK((rows == expected.positions));
  CHECK(cache->xxh128() == writer->xxh128());
}

TEST_CASE("pc2 reader: the header gives frame numbers if they are whole") {
  const TemporaryFolder folder;
  CHECK(frames_of(folder, 5, 2).first_frame == 5);
  CHECK(frames_of(folder, -7, 1).first_frame == -7);
  for (const auto& [start, rate] : {std::pair(0.5f, 1.0f), {5.0f, 0.5f}, {1e30f, 1.0f}}) {
    const FrameRange frames = frames_of(folder, start, rate);
    CHECK(frames.first_frame == 0);
    CHECK(frames.frame_step == 1);
  }
}

TEST_CASE("pc2 reader: a frame step that is not positive, or not finite, is refused") {
  const TemporaryFolder folder;
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::pair<float, float> refused[] = {{5, 0},         {5, -1},   {5, kNan},
                                             {5, kInfinity}, {kNan, 1}, {-kInfinity, 1}};
  for (const auto& [start, rate] : refused) {
    const std::string refusal = refusal_of(folder, with(with(kPc2File, 20, start), 24, rate));
    CHECK(refusal.find("frames per sample, not finite with a positive step") != std::string::npos);
  }
}

TEST_CASE("pc2 reader: a file that is not PC2 is refused with file, element, cause and remedy") {
  const TemporaryFolder folder;
  CHECK(refusal_of(folder, "").find("header: 0 bytes") != std::string::npos);
  CHECK(refusal_of(folder, kPc2File.substr(0, 31)).find("header: 31 bytes") != std::string::npos);
  CHECK(refusal_of(folder, with(kPc2File, 0, 'X')).find("not POINTCACHE2") != std::string::npos);
  CHECK(refusal_of(folder, with(kPc2File, 12, 2)).find("version: 2 is not") != std::string::npos);
  CHECK(refusal_of(folder, kPc2File + '\0').find("size: 81 bytes") != std::string::npos);
  const std::string cut = kPc2File.substr(0, 79);
  CHECK(refusal_of(folder, cut).find("size: 79 bytes") != std::string::npos);
}

TEST_CASE(
    "pc2 reader: counts that do not match the file are refused, also if their product overflows") {
  const TemporaryFolder folder;
  const std::int32_t counts[] = {
      std::numeric_limits<std::int32_t>::min(), -1, 0, 1, 3, 1 << 16, 1 << 30,
      std::numeric_limits<std::int32_t>::max()};
  for (const std::int32_t points : counts) {
    for (const std::int32_t samples : counts) {
      CAPTURE(points);
      CAPTURE(samples);
      CHECK(refusal_of(folder, with(with(kPc2File, 16, points), 28, samples)) != "not refused");
    }
  }
}

TEST_CASE("pc2 reader: a cache that is truncated after it was opened is an error") {
  const TemporaryFolder folder;
  test::write_file(folder / "a.pc2", kPc2File);
  const auto cache = open_cache(folder / "a.pc2");
  test::write_file(folder / "a.pc2", kPc2File.substr(0, 60));
  std::vector<float> rows(6);
  cache->read(0, 1, rows.data());
  CHECK_THROWS_AS(cache->read(1, 1, rows.data()), Error);
}

}  // namespace skinbake
