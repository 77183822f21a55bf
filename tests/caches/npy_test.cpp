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
using test::read_file;
using test::TemporaryFolder;
using test::TwoByTwo;
using test::write_file;

// clang-format off
constexpr unsigned char kNpyGolden[] = {
    0x93, 'N', 'U', 'M', 'P', 'Y',  1, 0,  0x76, 0x00,
    '{', '\'', 'd', 'e', 's', 'c', 'r', '\'', ':', ' ', '\'', '<', 'f', '4', '\'', ',', ' ',
    '\'', 'f', 'o', 'r', 't', 'r', 'a', 'n', '_', 'o', 'r', 'd', 'e', 'r', '\'', ':', ' ',
    'F', 'a', 'l', 's', 'e', ',', ' ', '\'', 's', 'h', 'a', 'p', 'e', '\'', ':', ' ',
    '(', '2', ',', ' ', '2', ',', ' ', '3', ')', ',', ' ', '}',
    ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ',
    ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ',
    ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ',
    '\n',
    0, 0, 0x80, 0x3f,  0, 0, 0x00, 0x40,  0, 0, 0x40, 0x40,   // frame 0: 1, 2, 3
    0, 0, 0x80, 0xbf,  0, 0, 0x00, 0x00,  0, 0, 0x00, 0x3f,   //         -1, 0, 0.5
    0, 0, 0x80, 0x3f,  0, 0, 0x00, 0x40,  0, 0, 0x30, 0x41,   // frame 1: 1, 2, 11
    0, 0, 0x80, 0xbf,  0, 0, 0x00, 0x00,  0, 0, 0x08, 0x41,   //         -1, 0, 8.5
};
// clang-format on

const std::string kNpyFile = bytes_of(kNpyGolden);

constexpr float kPositions[12] = {1, 2, 3, -1, 0, 0.5, 1, 2, 11, -1, 0, 8.5};

// A file of version 1.0.
std::string npy(const std::string& dictionary, const std::string& data) {
  return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(dictionary.size() & 0xff) +
         static_cast<char>(dictionary.size() >> 8) + dictionary + data;
}

std::string dictionary(const std::string& descr, const std::string& order,
                       const std::string& shape) {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

std::unique_ptr<CacheReader> read(const std::string& bytes) {
  const TemporaryFolder folder;
  write_file(folder / "a.npy", bytes);
  return open_cache(folder / "a.npy");
}

void check_positions(const CacheReader& cache) {
  REQUIRE(cache.frame_count() == 2);
  REQUIRE(cache.vertex_count() == 2);
  float all[12];
  cache.read(0, 2, all);
  CHECK(std::memcmp(all, kPositions, sizeof all) == 0);
  cache.read(1, 1, all);
  CHECK(std::memcmp(all, kPositions + 6, sizeof all / 2) == 0);
}

}  // namespace

TEST_CASE("npy: two vertices, two frames, byte for byte") {
  const TemporaryFolder folder;
  test::write_two_by_two(folder / "a.npy");
  CHECK(kNpyFile.size() == 128 + 48);
  CHECK(read_file(folder / "a.npy") == kNpyFile);
}

TEST_CASE("npy: the positions begin at a multiple of 64 for any number of digits in the shape") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  CacheHeader header;
  header.mesh.vertex_count = 0;
  for (const std::int64_t frames : {1, 12345, 123456789, 2147483647}) {
    header.frames.frame_count = frames;
    const auto writer = open_writer(folder / "a.npy", header);
    CHECK(writer->bytes() % 64 == 0);
  }
}

TEST_CASE("npy: more than 2^31 - 1 frames or vertices are refused without leaving a file") {
  const TemporaryFolder folder;
  CacheHeader header;
  header.mesh.vertex_count = std::int64_t{1} << 31;
  CHECK_THROWS_AS(open_writer(folder / "a.npy", header), Error);
  header.mesh.vertex_count = 1;
  header.frames.frame_count = std::int64_t{1} << 31;
  CHECK_THROWS_AS(open_writer(folder / "a.npy", header), Error);
  CHECK(folder.entry_count() == 0);
}

TEST_CASE("npy: a written file is read back") {
  check_positions(*read(kNpyFile));
  CHECK(read(kNpyFile)->format().id == "npy");
}

TEST_CASE("npy: headers of any key order and spacing, version 2.0 and double precision are read") {
  check_positions(*read(npy(dictionary("'<f4'", "False", "(2, 2, 3)"), bytes_of(kPositions))));
  check_positions(*read(npy("{\"shape\":(2,2,3,) , 'descr':\"<f4\",'fortran_order' : False}      ",
                            bytes_of(kPositions))));
  const std::string text = dictionary("'<f4'", "False", "(2, 2, 3)");
  const std::string two = std::string("\x93NUMPY\2\0", 8) + static_cast<char>(text.size()) +
                          std::string(3, '\0') + text + bytes_of(kPositions);
  check_positions(*read(two));
  const std::vector<double> doubles(std::begin(kPositions), std::end(kPositions));
  check_positions(*read(npy(dictionary("'<f8'", "False", "(2, 2, 3)"), bytes_of(doubles))));
}

TEST_CASE("npy: doubles are rounded to float, also beyond the first part") {
  constexpr int kVertices = 5000;  // more numbers than are read at once
  std::vector<double> doubles(3 * kVertices);
  for (std::size_t i = 0; i < doubles.size(); ++i) doubles[i] = static_cast<double>(i) + 1 / 3.0;
  const auto cache = read(npy(dictionary("'<f8'", "False", "(1, 5000, 3)"), bytes_of(doubles)));
  std::vector<float> floats(doubles.size());
  cache->read(0, 1, floats.data());
  for (std::size_t i = 0; i < doubles.size(); ++i) {
    REQUIRE(floats[i] == static_cast<float>(doubles[i]));
  }
}

TEST_CASE("npy: an array of another type or shape is refused, and the message names it") {
  const auto with = [](const std::string& descr, const std::string& order,
                       const std::string& shape) {
    return npy(dictionary(descr, order, shape), bytes_of(kPositions));
  };
  check_cache_refused("npy", with("'>f4'", "False", "(2, 2, 3)"), "'>f4'");
  check_cache_refused("npy", with("'<i4'", "False", "(2, 2, 3)"), "'<i4'");
  check_cache_refused("npy", with("'|O'", "False", "(2, 2, 3)"), "'|O'");
  check_cache_refused("npy", with("[('x', '<f4')]", "False", "(2, 2, 3)"), "records");
  check_cache_refused("npy", with("'<f4'", "True", "(2, 2, 3)"), "C order");
  check_cache_refused("npy", with("'<f4'", "0", "(2, 2, 3)"), "True nor False");
  for (const char* shape : {"(4, 3)", "(12,)", "()", "(2, 2, 3, 1)", "(3, 2, 2)", "(0, 2, 3)",
                            "(2, 0, 3)", "(2147483648, 2, 3)", "(2, 2147483648, 3)"}) {
    check_cache_refused("npy", with("'<f4'", "False", shape), "'shape'");
  }
  check_cache_refused("npy", with("'<f4'", "False", "(-2, 2, 3)"), "not a count");
  check_cache_refused("npy", with("'<f4'", "False", "(99999999999999999999, 2, 3)"), "not a count");
  check_cache_refused("npy", with("'<f4'", "False", "(2, 2, 3"), "not a count");
  check_cache_refused("npy", with("'<f4'", "False", "(2 2 3)"), "missing");
  std::string many = "(1";
  for (int i = 0; i < 40; ++i) many += ",1";
  check_cache_refused("npy", with("'<f4'", "False", many + ")"), "dimensions");
}

TEST_CASE("npy: a header that does not match the file is refused") {
  check_cache_refused("npy", "", "0 bytes");
  check_cache_refused("npy", "\x93NUMPY", "6 bytes");
  check_cache_refused("npy", "POINTCACHE2 and more", "NUMPY");
  for (const char* version : {"\0\0", "\1\1", "\2\1", "\3\0", "\xff\0"}) {
    std::string bytes = kNpyFile;
    bytes.replace(6, 2, std::string(version, 2));
    check_cache_refused("npy", bytes, "version");
  }
  std::string longer = kNpyFile;
  longer[8] = longer[9] = '\xff';
  check_cache_refused("npy", longer, "too large");
  check_cache_refused("npy", std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12) + kNpyFile,
                      "too large");
  check_cache_refused("npy", std::string("\x93NUMPY\2\0\0\0\1\0", 12) + std::string(1 << 16, ' '),
                      "missing");
  for (const char* text :
       {"", "{}", "{'descr': '<f4'}", "'<f4'", "{'descr'", "{'descr: 1}", "{'descr': '<f4', 1: 2}",
        "{'a': 'b'}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 2, 3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2, 3)} x",
        "{'descr': '<f\\x34', 'fortran_order': False, 'shape': (2, 2, 3)}"}) {
    check_cache_refused("npy", npy(text, bytes_of(kPositions)), "header");
  }
  for (std::size_t cut = 129; cut < kNpyFile.size(); ++cut)
    check_cache_refused("npy", kNpyFile.substr(0, cut), "size");
  for (std::size_t cut = 12; cut < 128; ++cut)
    check_cache_refused("npy", kNpyFile.substr(0, cut), "header");
  check_cache_refused("npy", kNpyFile + "x", "size");
  check_cache_refused(
      "npy", npy(dictionary("'<f4'", "False", "(2147483647, 2147483647, 3)"), bytes_of(kPositions)),
      "size");
  check_cache_refused("npy", npy(dictionary("'<f8'", "False", "(2, 2, 3)"), bytes_of(kPositions)),
                      "size");
}

// clang-format off
constexpr unsigned char kHalves[] = {
    0x00, 0x3c,  0x00, 0x40,  0x00, 0x42,   // frame 0: 1, 2, 3
    0x00, 0xbc,  0x00, 0x00,  0x00, 0x38,   //         -1, 0, 0.5
    0x00, 0x3c,  0x00, 0x40,  0x80, 0x49,   // frame 1: 1, 2, 11
    0x00, 0xbc,  0x00, 0x00,  0x40, 0x48,   //         -1, 0, 8.5
};
// clang-format on

TEST_CASE("npy: half precision, byte for byte, and read back") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  CacheHeader header = two.header(2);
  header.options = {{"precision", "half"}};
  const auto writer = open_writer(folder / "a.npy", header);
  test::bake_into(*writer, test::plan_of(two.rig, &two.clip, 2));
  CHECK(writer->bytes() == 128 + sizeof kHalves);
  CHECK(writer->bound_m() == doctest::Approx(std::sqrt(3.0) * 11 / 2048).epsilon(1e-5));
  writer->commit();
  const std::string bytes = read_file(folder / "a.npy");
  std::string head = kNpyFile.substr(0, 128);
  head.replace(head.find("<f4"), 3, "<f2");
  CHECK(bytes.substr(0, 128) == head);
  REQUIRE(bytes.size() == 128 + sizeof kHalves);
  CHECK(std::memcmp(bytes.data() + 128, kHalves, sizeof kHalves) == 0);
  check_positions(*open_cache(folder / "a.npy"));
  check_cache_refused("npy", bytes.substr(0, bytes.size() - 2), "size");
}

TEST_CASE("npy: the error of half precision is within the bound") {
  const Rig rig = test::tube({.rings = 30, .segments = 13});
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  for (const double scale : {1.0, 100.0, 1e-5}) {
    CAPTURE(scale);
    const TemporaryFolder folder;
    CacheHeader header;
    header.rig = &rig;
    header.frames = {30, 0, 1, 20};
    header.options = {{"precision", "half"}};
    header.axes.scale = scale;
    const auto writer = open_writer(folder / "a.npy", header);
    BakePlan plan = test::plan_of(rig, &clip, 20);
    plan.threads = 3;
    test::bake_into(*writer, plan);
    const auto verifier = verify_cache(*writer, header);
    plan.runs = {{parse_method("lbs"), {verifier.get()}}};
    bake(plan);
    CHECK(verifier->result().max_m > 0);
    CHECK(verifier->result().max_m <= writer->bound_m());
  }
}

TEST_CASE("npy: numbers that half precision cannot tell apart are beyond the bound") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  CacheHeader header = two.header(2);
  header.options = {{"precision", "half"}};
  header.axes.scale = 1e-9;
  const auto writer = open_writer(folder / "a.npy", header);
  const BakePlan plan = test::plan_of(two.rig, &two.clip, 2);
  test::bake_into(*writer, plan);
  const auto verifier = verify_cache(*writer, header);
  BakePlan again = plan;
  again.runs = {{parse_method("lbs"), {verifier.get()}}};
  bake(again);
  CHECK(verifier->result().max_m > writer->bound_m());
}

TEST_CASE("npy: a position beyond half precision is an error that names the frame and the vertex") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  CacheHeader header = two.header(2);
  header.options = {{"precision", "half"}};
  header.axes.scale = 6000;  // 11 times the scale overflows, 8.5 times does not
  {
    const auto writer = open_writer(folder / "a.npy", header);
    try {
      test::bake_into(*writer, test::plan_of(two.rig, &two.clip, 2));
      FAIL("accepted");
    } catch (const Error& error) {
      CHECK(error.code() == "HALF_OVERFLOW");
      CHECK(error.kind() == ErrorKind::kUsage);
      CHECK(std::string(error.what()).find("frame 1, vertex 0") != std::string::npos);
      CHECK(std::string(error.what()).find("65504") != std::string::npos);
    }
  }
  CHECK(folder.entry_count() == 0);
  header.options = {{"precision", "double"}};
  CHECK_THROWS_AS(open_writer(folder / "a.npy", header), Error);
}

}  // namespace skinbake
