#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "skinbake/error.h"
#include "support/bytes.h"
#include "support/caches/refused_cache.h"
#include "support/caches/two_by_two.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using test::bytes_of;
using test::check_cache_refused;
using test::open_writer;
using test::plan_of;
using test::read_file;
using test::TemporaryFolder;
using test::TwoByTwo;
using test::write_file;

// clang-format off
constexpr unsigned char kMddGolden[] = {
    0, 0, 0, 2,           // number of frames
    0, 0, 0, 2,           // number of points
    0, 0, 0, 0,           // 0 s
    0x3d, 0x08, 0x88, 0x89,                                   // 1/30 s
    0x3f, 0x80, 0, 0,  0x40, 0x00, 0, 0,  0x40, 0x40, 0, 0,   // frame 0: 1, 2, 3
    0xbf, 0x80, 0, 0,  0x00, 0x00, 0, 0,  0x3f, 0x00, 0, 0,   //         -1, 0, 0.5
    0x3f, 0x80, 0, 0,  0x40, 0x00, 0, 0,  0x41, 0x30, 0, 0,   // frame 1: 1, 2, 11
    0xbf, 0x80, 0, 0,  0x00, 0x00, 0, 0,  0x41, 0x08, 0, 0,   //         -1, 0, 8.5
};
// clang-format on

const std::string kMddFile = bytes_of(kMddGolden);

// The big-endian bytes of a number, as the file stores it.
std::string big(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

std::string big(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return big(bits);
}

std::string mdd(std::uint32_t frames, std::uint32_t points, const std::vector<float>& times,
                std::size_t positions) {
  std::string bytes = big(frames) + big(points);
  for (const float time : times) bytes += big(time);
  return bytes + std::string(12 * positions, '\0');
}

FrameRange frame_range_of(const std::string& bytes) {
  const TemporaryFolder folder;
  write_file(folder / "a.mdd", bytes);
  return open_cache(folder / "a.mdd")->frames();
}

}  // namespace

TEST_CASE("mdd: two vertices, two frames, byte for byte") {
  const TemporaryFolder folder;
  test::write_two_by_two(folder / "a.mdd");
  CHECK(read_file(folder / "a.mdd") == kMddFile);
}

TEST_CASE("mdd: times are those of the frames") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  CacheHeader header = two.header(3);
  header.frames = {24, 12, 6, 3};
  const auto writer = open_writer(folder / "a.mdd", header);
  BakePlan plan = plan_of(two.rig, &two.clip, 3);
  plan.frames = header.frames;
  test::bake_into(*writer, plan);
  writer->commit();
  CHECK(read_file(folder / "a.mdd").substr(8, 12) == big(0.5F) + big(0.75F) + big(1.F));
}

TEST_CASE(
    "mdd: counts and times that the format cannot hold are refused before a file is created") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  const auto refused = [&](CacheHeader header, const char* code) {
    try {
      open_writer(folder / "a.mdd", header);
      FAIL("not refused");
    } catch (const Error& error) {
      CHECK(error.code() == code);
      CHECK(error.kind() == ErrorKind::kUsage);
    }
    CHECK(folder.entry_count() == 0);
  };
  refused(two.header(std::int64_t{1} << 31), "CACHE_TOO_LARGE");
  CacheHeader header = two.header(3);
  header.rig = nullptr;
  header.mesh.vertex_count = std::int64_t{1} << 31;
  refused(header, "CACHE_TOO_LARGE");
  header = two.header(2);
  header.frames = {1e6, 1'000'000'000, 1, 2};  // 1000 s and 1000.000001 s: the same float
  refused(header, "CACHE_TIMES_COLLIDE");
  header = two.header(2);
  header.frames.fps = 0;
  refused(header, "CACHE_TIMES_UNKNOWN");
  header.frames = {1e-39, 0, 1, 2};  // 1e39 s
  refused(header, "CACHE_UNSUITABLE");
}

TEST_CASE("mdd: a written file is read back") {
  const TemporaryFolder folder;
  write_file(folder / "a.mdd", kMddFile);
  const auto cache = open_cache(folder / "a.mdd");
  CHECK(cache->format().id == "mdd");
  CHECK(cache->frame_count() == 2);
  CHECK(cache->vertex_count() == 2);
  CHECK(cache->frames().fps == 30);
  float rows[12];
  cache->read(0, 2, rows);
  const float expected[12] = {1, 2, 3, -1, 0, 0.5, 1, 2, 11, -1, 0, 8.5};
  CHECK(std::memcmp(rows, expected, sizeof rows) == 0);
  cache->read(1, 1, rows);
  CHECK(std::memcmp(rows, expected + 6, sizeof rows / 2) == 0);
}

TEST_CASE("mdd: a frame beyond the count, as Blender's exporter writes, is ignored") {
  const TemporaryFolder folder;
  write_file(folder / "a.mdd", kMddFile + std::string(24, '\x7f'));
  const auto cache = open_cache(folder / "a.mdd");
  CHECK(cache->frame_count() == 2);
  float rows[6];
  cache->read(1, 1, rows);
  CHECK(rows[2] == 11);
  check_cache_refused("mdd", kMddFile + std::string(12, '\0'), "size");
  check_cache_refused("mdd", kMddFile + std::string(48, '\0'), "size");
}

TEST_CASE("mdd: frame rate and first frame follow from the times") {
  CHECK(frame_range_of(kMddFile).fps == 30);
  const FrameRange later = frame_range_of(mdd(3, 1, {0.5F, 0.5F + 1 / 24.F, 0.5F + 2 / 24.F}, 3));
  CHECK(later.fps == 24);
  CHECK(later.first_frame == 12);
  CHECK(later.frame_count == 3);
  const FrameRange odd = frame_range_of(mdd(3, 1, {3 / 24.F, 5 / 24.F, 7 / 24.F}, 3));
  CHECK(odd.fps == 24);
  CHECK(odd.first_frame == 3);
  CHECK(odd.frame_step == 2);
  std::vector<float> ntsc;
  for (int i = 0; i < 5000; ++i) ntsc.push_back(static_cast<float>(i * 1001 / 30000.0));
  CHECK(frame_range_of(mdd(5000, 1, ntsc, 5000)).fps == doctest::Approx(30000 / 1001.0));
  for (const std::vector<float>& times : {std::vector<float>{0, 1, 5}, {0, 0, 0}}) {
    const FrameRange unknown = frame_range_of(mdd(3, 1, times, 3));
    CHECK(unknown.fps == 30);
    CHECK(unknown.first_frame == 0);
  }
}

TEST_CASE("mdd: a short last step is the end of a clip") {
  const std::vector<float> times{0.5F, 0.75F, 1, 1.1F};
  const FrameRange frames = frame_range_of(mdd(4, 1, times, 4));
  CHECK(frames.fps == 4);
  CHECK(frames.first_frame == 2);
  CHECK(frames.frame_count == 4);
  CHECK(frames.end_s == double{1.1F});
  CHECK(frames.is_end(3));
  CHECK_FALSE(frames.is_end(2));
  // A last frame that is doubled, or later than a step, does not end a clip.
  for (const float last : {1.F, 1.0001F, 1.26F, 2.F}) {
    const FrameRange unknown = frame_range_of(mdd(4, 1, {0.5F, 0.75F, 1, last}, 4));
    CHECK(unknown.fps == 30);
    CHECK(unknown.frame_count == 4);
    CHECK_FALSE(unknown.is_end(3));
  }
}

TEST_CASE("mdd: the time of a last frame at the end of a clip is the end") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  CacheHeader header = two.header(3);
  header.frames = {24, 12, 6, 3, 0.9};
  const auto writer = open_writer(folder / "a.mdd", header);
  BakePlan plan = plan_of(two.rig, &two.clip, 3);
  plan.frames = header.frames;
  test::bake_into(*writer, plan);
  writer->commit();
  CHECK(read_file(folder / "a.mdd").substr(8, 12) == big(0.5F) + big(0.75F) + big(0.9F));
  CHECK(open_cache(folder / "a.mdd")->provenance()->frames.end_s == 0.9);
}

TEST_CASE("mdd: times that descend or are not finite are refused") {
  check_cache_refused("mdd", mdd(3, 1, {2, 1, 0}, 3), "time of frame 1: 1.000000 after 2.000000");
  check_cache_refused("mdd", mdd(3, 1, {0, NAN, 1}, 3), "time of frame 1");
  check_cache_refused("mdd", mdd(3, 1, {0, 1, INFINITY}, 3), "time of frame 2");
  std::vector<float> late(5000, 1.F);  // beyond the part that is read at once
  late.back() = 0.5F;
  check_cache_refused("mdd", mdd(5000, 1, late, 5000), "time of frame 4999");
}

TEST_CASE("mdd: a header that does not match the file size is refused") {
  check_cache_refused("mdd", "", "0 bytes");
  check_cache_refused("mdd", big(2u) + "abc", "7 bytes");
  check_cache_refused("mdd", mdd(0, 2, {}, 0), "0 frames");
  check_cache_refused("mdd", mdd(2, 0, {0, 1}, 0), "0 points");
  check_cache_refused("mdd", big(0x80000000u) + big(2u), "-2147483648 frames");
  check_cache_refused("mdd", big(0x7fffffffu) + big(0x7fffffffu) + std::string(100, '\0'), "size");
  for (std::size_t cut = 8; cut < kMddFile.size(); cut += 5)
    check_cache_refused("mdd", kMddFile.substr(0, cut), "size");
  check_cache_refused("mdd", kMddFile + "x", "size");
  // Little-endian counts.
  check_cache_refused("mdd", std::string("\2\0\0\0\2\0\0\0", 8) + kMddFile.substr(8), "size");
}

TEST_CASE("mdd: a file that is truncated while it is open is an error") {
  const TemporaryFolder folder;
  write_file(folder / "a.mdd", kMddFile);
  const auto cache = open_cache(folder / "a.mdd");
  std::filesystem::resize_file(folder / "a.mdd", kMddFile.size() - 4);
  float rows[12];
  CHECK_THROWS_AS(cache->read(0, 2, rows), Error);
}

}  // namespace skinbake
