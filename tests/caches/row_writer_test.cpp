// Common behaviour of PC2, MDD and NPY: axes, units, sizes beyond 32 bits, the order of writing.

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "skinbake/error.h"
#include "support/bytes.h"
#include "support/caches/two_by_two.h"
#include "support/frames.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using test::hash_of;
using test::open_writer;
using test::plan_of;
using test::positions_of;
using test::read_file;
using test::TemporaryFolder;
using test::TwoByTwo;

constexpr const char* kFormats[] = {"pc2", "mdd", "npy"};

nlohmann::json sidecar_of(const std::string& path) {
  return nlohmann::json::parse(read_file(path + ".json"));
}

}  // namespace

TEST_CASE("rows: every format reads back the computed positions, for any number of threads") {
  const Rig rig = test::tube_of_many_tiles();
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  const auto expected = test::captured(rig, &clip, 37, "lbs");
  for (const std::string format : kFormats) {
    std::string first;
    for (const int threads : {1, 3}) {
      CAPTURE(format);
      const TemporaryFolder folder;
      const std::string path = folder / ("a." + format);
      CacheHeader header;
      header.rig = &rig;
      header.frames = {30, 0, 1, 37};
      const auto writer = open_writer(path, header);
      BakePlan plan = plan_of(rig, &clip, 37);
      plan.threads = threads;
      test::bake_into(*writer, plan);
      CHECK(folder.entry_count() == 0);
      writer->commit();
      const std::vector<float> rows = positions_of(*open_cache(path));
      REQUIRE(rows.size() == expected.positions.size());
      CHECK(std::memcmp(rows.data(), expected.positions.data(), rows.size() * sizeof(float)) == 0);
      const std::string bytes = read_file(path);
      CHECK(bytes.size() == writer->bytes());
      CHECK(hash_of(bytes) == writer->xxh128());
      CHECK(sidecar_of(path)["format"] == format);
      CHECK(sidecar_of(path)["xxh128"] == writer->xxh128());
      if (first.empty()) first = bytes;
      CHECK(bytes == first);
    }
  }
}

TEST_CASE("rows: z up rotates about x, and the sidecar states the axes") {
  for (const std::string format : kFormats) {
    const TemporaryFolder folder;
    const std::string path = folder / ("a." + format);
    test::write_two_by_two(path, {CacheAxes::Up::kZ, 1});
    CHECK(positions_of(*open_cache(path)) ==
          std::vector<float>{1, -3, 2, -1, -0.5, 0, 1, -11, 2, -1, -8.5, 0});
    CHECK(sidecar_of(path)["axis"] == "z-up, right-handed");
    CHECK(sidecar_of(path)["unit"] == "m");
    const auto provenance = open_cache(path)->provenance();
    REQUIRE(provenance);
    CHECK((provenance->axes.up == CacheAxes::Up::kZ));
    CHECK(provenance->axes.scale == 1);
  }
}

TEST_CASE("rows: a scale changes the unit") {
  const TemporaryFolder folder;
  const auto unit = [&](double scale) {
    test::write_two_by_two(folder / "a.mdd", {CacheAxes::Up::kY, scale});
    CHECK(sidecar_of(folder / "a.mdd")["units_per_metre"] == scale);
    return sidecar_of(folder / "a.mdd")["unit"];
  };
  CHECK(unit(100) == "cm");
  CHECK(positions_of(*open_cache(folder / "a.mdd")) ==
        std::vector<float>{100, 200, 300, -100, 0, 50, 100, 200, 1100, -100, 0, 850});
  CHECK(unit(1000) == "mm");
  CHECK(unit(4) == "0.25 m");
  CHECK(open_cache(folder / "a.mdd")->provenance()->axes.scale == 4);
  CHECK(positions_of(*open_cache(folder / "a.mdd"))[2] == 12);
}

TEST_CASE("rows: in_rig_axes converts a cache back to metres with y up") {
  const TemporaryFolder folder;
  test::write_two_by_two(folder / "plain.pc2");
  CHECK(in_rig_axes(*open_cache(folder / "plain.pc2")) == nullptr);
  test::write_two_by_two(folder / "a.pc2", {CacheAxes::Up::kZ, 4});
  const auto cache = open_cache(folder / "a.pc2");
  const auto converted = in_rig_axes(*cache);
  REQUIRE(converted);
  CHECK(converted->frame_count() == 2);
  CHECK(converted->vertex_count() == 2);
  std::vector<float> rows(12);
  converted->read(0, 2, rows.data());
  CHECK(rows == positions_of(*open_cache(folder / "plain.pc2")));
  // A stale sidecar is ignored.
  test::damage_file(folder / "a.pc2", 32, "x");
  const auto damaged = open_cache(folder / "a.pc2");
  CHECK(damaged->claimed_provenance()->axes.scale == 4);
  CHECK(in_rig_axes(*damaged) == nullptr);
}

TEST_CASE(
    "rows: a position that a scale makes infinite is an error that names the frame and the "
    "vertex") {
  for (const std::string format : kFormats) {
    const TemporaryFolder folder;
    const TwoByTwo two;
    CacheHeader header = two.header(2);
    header.axes.scale = 4e37;  // 11 times the scale overflows, 8.5 times does not
    {
      const auto writer = open_writer(folder / ("a." + format), header);
      try {
        test::bake_into(*writer, plan_of(two.rig, &two.clip, 2));
        FAIL("accepted");
      } catch (const Error& error) {
        CHECK(error.code() == "NON_FINITE_POSITION");
        CHECK(error.kind() == ErrorKind::kInput);
        CHECK(std::string(error.what()).find("frame 1, vertex 0") != std::string::npos);
      }
    }
    CHECK(folder.entry_count() == 0);
  }
}

TEST_CASE("rows: files may be larger than 2^32 bytes") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  for (const std::string format : {"pc2", "npy"}) {
    // A device accepts any offset and takes no space.
    const std::string path = folder / ("a." + format);
    std::filesystem::create_symlink("/dev/null", path);
    CacheHeader header = two.header(1'000'000'000);
    const auto writer = open_writer(path, header);
    CHECK(writer->bytes() == (format == "pc2" ? 32u : 128u) + 24'000'000'000u);
    header.rig = nullptr;
    header.mesh.vertex_count = 2147483647;
    header.frames.frame_count = 2147483647;
    CHECK_THROWS_AS(open_writer(path, header), Error);  // the file would be too large
  }
}

TEST_CASE("rows: the last row of a file of 5 GB is read at its offset") {
  const TemporaryFolder folder;
  constexpr std::int32_t kFrames = 50'000'000, kVertices = 9;
  constexpr std::uint64_t kRow = kVertices * 12;
  const auto check = [&](const std::string& name, const std::string& head) {
    const std::string path = folder / name;
    const float last[3] = {1, 2, 3};
    {
      std::ofstream out(path, std::ios::binary);
      out << head;
      out.seekp(static_cast<std::streamoff>(head.size() + kFrames * kRow - sizeof last));
      out.write(reinterpret_cast<const char*>(last), sizeof last);
    }
    REQUIRE(std::filesystem::file_size(path) > std::uint64_t{1} << 32);
    const auto cache = open_cache(path);
    REQUIRE(cache->frame_count() == kFrames);
    float rows[3 * kVertices];
    cache->read(kFrames - 1, 1, rows);
    CHECK(rows[3 * kVertices - 4] == 0);
    CHECK(std::memcmp(rows + 3 * kVertices - 3, last, sizeof last) == 0);
    std::filesystem::remove(path);
  };
  const std::int32_t numbers[] = {1, kVertices, 0, 0x3f800000, kFrames};
  check("a.pc2", std::string("POINTCACHE2\0", 12) + test::bytes_of(numbers));
  std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (50000000, 9, 3)}";
  check("a.npy", std::string("\x93NUMPY\1\0", 8) + static_cast<char>(text.size()) + '\0' + text);
}

}  // namespace skinbake
