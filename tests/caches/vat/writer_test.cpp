#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "caches/vat/layout.h"
#include "skinbake/error.h"
#include "support/bytes.h"
#include "support/caches/two_by_two.h"
#include "support/normal_rigs.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using nlohmann::json;
using test::bytes_of;
using test::hash_of;
using test::plan_of;
using test::read_file;
using test::TemporaryFolder;
using test::TwoByTwo;
using Layout = VatOptions::Layout;

// clang-format off
constexpr unsigned char kPng[] = {
    0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
    0, 0, 0, 13,  'I', 'H', 'D', 'R',  0, 0, 0, 2,  0, 0, 0, 2,   // 2 x 2
    16, 6, 0, 0, 0,                                               // 16 bits, RGBA
    0x22, 0x26, 0xd1, 0x67,                                       // CRC-32
    0, 0, 0, 45,  'I', 'D', 'A', 'T',  0x08, 0x1d,                 // zlib, a window of 256 bytes
    1,  34, 0, 0xdd, 0xff,                                        // a stored block of 34, the last
    0,                                                            // the filter of a row
    0, 0,  0, 0,  0, 0,  0xff, 0xff,  0, 0,  0, 0,  0, 0,  0xff, 0xff,  // frame 0: no displacement
    0,
    0, 0,  0, 0,  0xff, 0xff,  0xff, 0xff,  0, 0,  0, 0,  0xff, 0xff,  0xff, 0xff,  // both along z
    0x8d, 0x94, 0x0b, 0xf5,                                       // Adler-32
    0xc0, 0x48, 0x88, 0xbd,                                       // CRC-32
    0, 0, 0, 0,  'I', 'E', 'N', 'D',  0xae, 0x42, 0x60, 0x82,
};

// Rows of normals: (1, 0, 0) and (0, 0, 1); in frame 1 the second is (0, 0, -1).
constexpr unsigned char kNormals[] = {
    0xff, 0xff,  0x80, 0,  0x80, 0,  0xff, 0xff,  0x80, 0,  0x80, 0,  0xff, 0xff,  0xff, 0xff,
};
constexpr unsigned char kTurnedNormals[] = {
    0xff, 0xff,  0x80, 0,  0x80, 0,  0xff, 0xff,  0x80, 0,  0x80, 0,  0, 0,  0xff, 0xff,
};

// The lines of the EXR: number, length, then blue, green and red of both vertices.
constexpr unsigned char kExrLines[] = {
    0, 0, 0, 0,  24, 0, 0, 0,
    0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,
    1, 0, 0, 0,  24, 0, 0, 0,
    0, 0, 0x80, 0x3f,  0, 0, 0x80, 0x3f,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,
};
constexpr unsigned char kHalfLines[] = {
    0, 0, 0, 0,  12, 0, 0, 0,  0, 0,  0, 0,  0, 0,  0, 0,  0, 0,  0, 0,
    1, 0, 0, 0,  12, 0, 0, 0,  0, 0x3c,  0, 0x3c,  0, 0,  0, 0,  0, 0,  0, 0,
};
// clang-format on

using Options = CacheOptions;

struct WrittenVat {
  std::string texture, mesh;
  json sidecar;
  double bound_m;
};

// Two vertices that both move by (0, 0, 8), baked to `name`.
WrittenVat written(const std::string& name, const Options& options = {}) {
  const TwoByTwo two;
  const TemporaryFolder folder;
  CacheHeader header = two.header(2);
  header.options = options;
  const auto writer = test::open_writer(folder / name, header);
  test::bake_into(*writer, plan_of(two.rig, &two.clip, 2));
  CHECK(folder.entry_count() == 0);
  writer->sync();
  writer->commit();
  CHECK(folder.entry_count() == 3);
  WrittenVat all{read_file(folder / name), read_file(folder / (name + ".glb")),
                 json::parse(read_file(folder / (name + ".json"))), writer->bound_m()};
  CHECK(all.sidecar["format"] == "vat");
  CHECK(all.sidecar["xxh128"] == hash_of(all.texture));
  CHECK(writer->xxh128() == hash_of(all.texture));
  CHECK(writer->bytes() == all.texture.size());
  return all;
}

std::string refused(const std::string& name, CacheHeader header, const Options& options = {}) {
  const TemporaryFolder folder;
  header.options = options;
  std::string code;
  try {
    test::open_writer(folder / name, header);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kUsage);
    code = error.code();
  }
  CHECK(folder.entry_count() == 0);
  return code;
}

VatLayout plan(Layout kind, std::int64_t vertices, std::int64_t frames) {
  return plan_vat("a.exr", kind, vertices, frames);
}

// Every vertex has one texel in every frame, and its texture coordinates lead to that texel.
void check_texels(const VatLayout& layout, std::int64_t step) {
  std::set<std::pair<std::int64_t, std::int64_t>> seen;  // frame, vertex
  std::size_t wrong = 0;
  for (std::int64_t y = 0; y < layout.height; ++y) {
    const VatLayout::Row row = layout.row(y);
    CHECK(row.count <= layout.width);
    for (std::int64_t x = 0; x < row.count; ++x) {
      const std::int64_t vertex = row.first_vertex + x;
      wrong += !seen.emplace(row.frame, vertex).second;
      const auto uv = layout.texcoord(vertex);
      wrong += static_cast<std::int64_t>(uv[0] * static_cast<float>(layout.width)) != x;
      wrong +=
          static_cast<std::int64_t>(uv[1] * static_cast<float>(layout.height)) + row.frame * step !=
          y;
    }
  }
  CHECK(wrong == 0);
  CHECK(seen.size() == static_cast<std::size_t>(layout.vertices * layout.frames));
}

}  // namespace

TEST_CASE("vat: two vertices, two frames, byte for byte") {
  const WrittenVat image = written("a.png");
  CHECK(image.texture == bytes_of(kPng));
  CHECK(image.sidecar["vat"] == json::parse(R"({"layout": "unreal", "width": 2, "height": 2,
      "rows_per_frame": 1, "min": [0, 0, 0], "max": [0, 0, 8]})"));
  CHECK_FALSE(image.sidecar.contains("os-remap"));
  CHECK(image.mesh.substr(0, 4) == "glTF");
  CHECK(image.mesh.find("TEXCOORD_1") != std::string::npos);
  for (const auto& [precision, lines] :
       {std::pair{"single", bytes_of(kExrLines)}, std::pair{"half", bytes_of(kHalfLines)}}) {
    const std::string exr = written("a.exr", {{"precision", precision}}).texture;
    CHECK(exr.substr(0, 8) == std::string("\x76\x2f\x31\x01\2\0\0\0", 8));
    REQUIRE(exr.size() > lines.size());
    CHECK(exr.substr(exr.size() - lines.size()) == lines);
  }
}

TEST_CASE("vat: normals are a second texture, (n + 1) / 2") {
  const test::HalfTurn turn;
  const TemporaryFolder folder;
  CacheHeader header = TwoByTwo().header(2);
  header.rig = &turn.rig;
  header.options = {{"normals", "1"}};
  header.normals = NormalKind::kSkinned;
  const auto writer = test::open_writer(folder / "a.png", header);
  test::bake_into(*writer, plan_of(turn.rig, &turn.clip, 2));
  CHECK(folder.entry_count() == 0);
  writer->sync();
  writer->commit();
  CHECK(folder.entry_count() == 4);
  const std::string texture = read_file(folder / "a.png.normals.png");
  const std::size_t first = texture.find(bytes_of(kNormals));
  CHECK(first != std::string::npos);
  CHECK(texture.find(bytes_of(kTurnedNormals), first) != std::string::npos);
  const json said = json::parse(read_file(folder / "a.png.json"))["vat"]["normals"];
  CHECK(said == json({{"file", "a.png.normals.png"},
                      {"bytes", texture.size()},
                      {"xxh128", hash_of(texture)}}));
  CHECK(*writer->normal_bound() == doctest::Approx(std::sqrt(3.0) / 65535).epsilon(0.01));
  CHECK(read_file(folder / "a.png.glb").find("NORMAL") != std::string::npos);
}

TEST_CASE("vat: the layout openvat writes powers of two and the bounds that OpenVAT reads") {
  const WrittenVat image = written("a.EXR", {{"layout", "openvat"}});
  const json& vat = image.sidecar["vat"];
  CHECK(vat["layout"] == "openvat");
  CHECK(vat["width"] == 64);
  CHECK(vat["height"] == 64);
  CHECK(image.sidecar["os-remap"] ==
        json::parse(R"({"Min": [0, 0, 0], "Max": [0, 0, 8], "Frames": 2})"));
}

TEST_CASE("vat: a compressed texture has the size and hash that its sidecar states") {
  for (const char* name : {"a.png", "a.exr"}) {
    for (const char* layout : {"unreal", "openvat"}) {
      const Options options{{"layout", layout}, {"compress", "1"}};
      CHECK(written(name, options).texture != written(name, {{"layout", layout}}).texture);
    }
  }
}

TEST_CASE("vat: the bound is that of the texels and a few roundings") {
  CHECK(written("a.png").bound_m == doctest::Approx(8.0 / 131070).epsilon(0.2));
  CHECK(written("a.exr", {{"precision", "half"}}).bound_m ==
        doctest::Approx(8.0 / 4096).epsilon(0.01));
  CHECK(written("a.exr").bound_m < 1e-5);
}

TEST_CASE("vat: the bound includes the rounding of subnormal coordinates") {
  TwoByTwo two;
  two.rig = test::loose({{1e-40F, 2e-41F, 0}, {0, 3e-42F, 7e-41F}}, {Node{}}, {{{0, 1}}, {{0, 1}}});
  two.clip.channels = {test::channel(0, ChannelPath::kTranslation, Interpolation::kLinear, {0, 1},
                                     {0, 0, 0, 1e-40F, 5e-41F, 0}, 3)};
  for (const char* name : {"a.png", "a.exr"}) {
    const TemporaryFolder folder;
    const CacheHeader header = two.header(31);
    const auto writer = test::open_writer(folder / name, header);
    BakePlan plan = plan_of(two.rig, &two.clip, 31);
    test::bake_into(*writer, plan);
    const auto verifier = verify_cache(*writer, header);
    plan.runs = {{parse_method("lbs"), {verifier.get()}}};
    bake(plan);
    CHECK(verifier->result().max_m <= writer->bound_m());
    CHECK(writer->bound_m() < 1e-44);
  }
}

TEST_CASE("vat: the texture of several clips is decoded once") {
  const TwoByTwo two;
  const TemporaryFolder folder;
  const std::vector<CacheHeader> headers(2, two.header(2));
  const auto writers = cache_format_of("a.png").open_together(folder / "a.png", headers);
  BakePlan plan = plan_of(two.rig, &two.clip, 2);
  for (const auto& writer : writers) {
    plan.runs = {{parse_method("lbs"), {writer->joint_prepass()}}};
    bake(plan);
  }
  for (const auto& writer : writers) test::bake_into(*writer, plan);
  const auto first = writers[0]->read_back("");
  std::filesystem::resize_file(writers[0]->readable_path(), 0);
  const auto second = writers[1]->read_back("");
  for (const auto& frames : {first.get(), second.get()}) {
    std::vector<float> rows(2 * 2 * 3);
    frames->read(0, 2, rows.data());
    CHECK(rows[8] - rows[2] == doctest::Approx(8));
  }
  CHECK_THROWS_AS(writers[0]->read_back(""), Error);  // the last clip has been read
}

TEST_CASE("vat: sizes follow the rules of each layout") {
  const VatLayout one = plan(Layout::kUnreal, 4096, 8192);
  CHECK(one.width == 4096);
  CHECK(one.height == 8192);
  const VatLayout three = plan(Layout::kUnreal, 10001, 10);
  CHECK(three.strips == 3);
  CHECK(three.width == 3334);
  CHECK(three.height == 30);
  const VatLayout man = plan(Layout::kOpenVat, 3273, 61);  // 7 strips: 427 rows
  CHECK(man.width == 512);
  CHECK(man.height == 512);
  const VatLayout tall = plan(Layout::kOpenVat, 10, 5000);
  CHECK(tall.width == 4096);
  CHECK(tall.height == 8192);
  check_texels(three, 3);
  check_texels(plan(Layout::kUnreal, 5, 3), 1);
  check_texels(man, 1);
  check_texels(plan(Layout::kOpenVat, 1000, 7), 1);
}

TEST_CASE(
    "vat: counts, options and axes that a texture cannot hold are refused before a file is "
    "created") {
  const TwoByTwo two;
  CHECK(refused("a.png", two.header(8192)).empty());
  CHECK(refused("a.png", two.header(8193)) == "CACHE_TOO_LARGE");
  CHECK(refused("a.exr", two.header(8193), {{"layout", "openvat"}}) == "CACHE_TOO_LARGE");
  CHECK(refused("a.exr", two.header(std::int64_t{1} << 62)) == "CACHE_TOO_LARGE");
  for (const Layout kind : {Layout::kUnreal, Layout::kOpenVat}) {
    CHECK_THROWS_AS(plan(kind, std::int64_t{1} << 32, 1), Error);
    CHECK_THROWS_AS(plan(kind, 9000, 4097), Error);
  }
  CHECK(refused("a.png", two.header(2), {{"precision", "half"}}) == "FORMAT_OPTION_UNKNOWN");
  CHECK(refused("a.exr", two.header(2), {{"layout", "unity"}}) == "FORMAT_OPTION_UNKNOWN");
  CHECK(refused("a.exr", two.header(2), {{"compress", "2"}}) == "FORMAT_OPTION_UNKNOWN");
  CacheHeader header = two.header(2);
  header.axes.scale = 100;
  CHECK(refused("a.png", header) == "CACHE_UNSUITABLE");
}

TEST_CASE("vat: a displacement that overflows float is refused") {
  TwoByTwo two;
  two.clip.channels = {test::channel(0, ChannelPath::kTranslation, Interpolation::kLinear,
                                     {0, 1.0 / 30}, {0, 0, -3e38, 0, 0, 3e38}, 3)};
  for (const char* name : {"a.png", "a.exr"}) {
    const TemporaryFolder folder;
    const auto writer = test::open_writer(folder / name, two.header(2));
    std::string code;
    try {
      test::bake_into(*writer, plan_of(two.rig, &two.clip, 2));
    } catch (const Error& error) {
      code = error.code();
    }
    CHECK(code == "CACHE_UNSUITABLE");
  }
}

}  // namespace skinbake
