// Verification reads USD text and vertex animation textures back, and detects damage.

#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "caches/usd/reader.h"
#include "caches/vat/reader.h"
#include "skinbake/error.h"
#include "support/bytes.h"
#include "support/caches/two_by_two.h"
#include "support/frames.h"
#include "support/gltf/parsed_glb.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using test::positions_of;
using test::read_file;
using test::TemporaryFolder;
using test::write_file;

constexpr FrameRange kTwoFrames{30, 0, 1, 2};

std::string replaced(std::string text, const std::string& old, const std::string& with) {
  const std::size_t at = text.rfind(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), with);
}

// `file`: the file that the error names; empty: any.
template <class Read>
void check_reading_fails(const Read& read, const std::string& file = "",
                         const std::string& code = "CACHE_INVALID") {
  try {
    positions_of(*read());
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInput);
    CHECK(error.code() == code);
    if (!file.empty()) CHECK(error.location().file == file);
  }
}

const std::vector<float> kRows{1, 2, 3, -1, 0, 0.5F, 1, 2, 11, -1, 0, 8.5F};

// The cache of TwoByTwo as a texture, whose files a test may change.
struct TwoByTwoTexture {
  TemporaryFolder folder;
  VatFiles files;

  explicit TwoByTwoTexture(const std::string& name, bool is_split = false) {
    test::write_two_by_two(folder / name, {},
                           is_split ? CacheOptions{{"split", "8"}} : CacheOptions{});
    files = {{folder / name, is_split ? folder / (name + ".low.png") : ""},
             folder / (name + ".glb"),
             folder / (name + ".json"),
             {},
             name.ends_with("png")};
  }
  std::vector<float> rows() const { return positions_of(*read_vat(files)); }
  void change_sidecar(const std::string& key, std::int64_t number) const {
    nlohmann::json sidecar = nlohmann::json::parse(read_file(files.sidecar));
    sidecar["vat"][key] = number;
    write_file(files.sidecar, sidecar.dump());
  }
  // Changes the texel of the first vertex.
  void change_texcoord(float u) const {
    const test::Glb glb(read_file(files.mesh));
    const auto& attributes = glb.parsed["meshes"][0]["primitives"][0]["attributes"];
    const auto& accessor = glb.parsed["accessors"][attributes["TEXCOORD_1"].get<std::size_t>()];
    const auto& view = glb.parsed["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    const std::uint64_t offset =
        glb.bytes.size() - glb.bin.size() + view["byteOffset"].get<std::uint64_t>();
    test::damage_file(files.mesh, offset, test::bytes_of(u));
  }
};

// A split texture of two vertices that do not move: the bytes of one image, whose texels are 0.
std::string still_image(std::int64_t frames) {
  const TemporaryFolder folder;
  test::TwoByTwo two;
  two.clip.channels.clear();
  CacheHeader header = two.header(frames);
  header.options = {{"split", "8"}};
  const auto writer = test::open_writer(folder / "still.png", header);
  test::bake_into(*writer, test::plan_of(two.rig, &two.clip, frames));
  writer->commit();
  return read_file(folder / "still.png.low.png");
}

}  // namespace

TEST_CASE("read back: USD text contains the computed numbers") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.usda";
  test::write_two_by_two(path);
  CHECK(positions_of(*read_usda(path, 0, kTwoFrames)) == kRows);
  CHECK_FALSE(read_usda(path, 0, kTwoFrames)->has_normals());

  const std::string text = read_file(path);
  write_file(path, replaced(text, "11), (-1, 0, 8.5)", "11), (-1, 0, 9.5)"));
  std::vector<float> rows = kRows;
  rows.back() = 9.5F;
  CHECK(positions_of(*read_usda(path, 0, kTwoFrames)) == rows);
}

TEST_CASE("read back: damaged USD text is refused") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.usda";
  test::write_two_by_two(path);
  const std::string text = read_file(path);
  for (const auto& change : std::map<std::string, std::string>{
           {"11), (-1, 0, 8.5)", "11), (-1, 0, x.5)"},
           {"(-1, 0, 8.5)]", "(-1, 0, 8.5)}"},
           {"(1, 2, 11), (", "(1, 2, 11); ("},
           {"(1, 2, 11), ", ""},
           {"            1: [(1", "            2: [(1"},
           {"point3f[] points.timeSamples = {", "point3f[] points.timeSamples = ["}}) {
    CAPTURE(change.first);
    write_file(path, replaced(text, change.first, change.second));
    check_reading_fails([&] { return read_usda(path, 0, kTwoFrames); });
  }
  write_file(path, text);
  check_reading_fails([&] { return read_usda(path, 1, kTwoFrames); });  // the file has one mesh
  check_reading_fails([&] { return read_usda(path, 0, {30, 0, 1, 3}); });
}

TEST_CASE("read back: a texture gives the computed positions from its files alone") {
  for (const char* name : {"a.exr", "a.png"}) {
    CAPTURE(name);
    const TwoByTwoTexture texture(name);
    CHECK(texture.rows() == kRows);  // texels of 0 and 1
    CHECK_FALSE(read_vat(texture.files)->has_normals());
  }
}

TEST_CASE("read back: a changed texel, texture coordinate or box gives other positions") {
  const TwoByTwoTexture texture("a.exr");
  const std::uint64_t texel =
      read_file(texture.files.positions.texture).size() - 24;  // blue of frame 1
  test::damage_file(texture.files.positions.texture, texel, std::string("\0\0\0\x3f", 4));  // 0.5
  std::vector<float> rows = kRows;
  rows[8] = 7;
  CHECK(texture.rows() == rows);
  texture.change_texcoord(0.75);  // the texel of the other vertex
  CHECK(texture.rows() == kRows);
  nlohmann::json sidecar = nlohmann::json::parse(read_file(texture.files.sidecar));
  sidecar["vat"]["max"][2] = 16;
  write_file(texture.files.sidecar, sidecar.dump());
  CHECK(texture.rows()[11] == 16.5F);
}

TEST_CASE("read back: a changed byte of any file is found, also where the frames do not show it") {
  const test::TwoByTwo two;
  for (const char* name :
       {"a.pc2", "a.mdd", "a.npy", "a.glb", "a.usda", "a.exr", "a.png", "split.png"}) {
    const TemporaryFolder folder;
    const bool is_split = std::string(name) == "split.png";
    CacheHeader header = two.header(2);
    if (is_split) header.options = {{"split", "8"}};
    const auto writer = test::open_writer(folder / name, header);
    test::bake_into(*writer, test::plan_of(two.rig, &two.clip, 2));
    verify_bytes(*writer);
    const std::size_t count = writer->written_files().size();
    CHECK(count == (is_split ? 3 : cache_format_of(name).id == "vat" ? 2 : 1));
    for (std::size_t i = 0; i < count; ++i) {
      const WrittenFile file = writer->written_files()[i];
      const std::string whole = read_file(file.readable_path);
      test::damage_file(file.readable_path, 24, std::string(1, static_cast<char>(~whole[24])));
      try {
        verify_bytes(*writer);
        FAIL("accepted");
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::kOutput);
        CHECK(error.code() == "VERIFICATION_FAILED");
        CHECK(error.location().file == file.path);
      }
      test::damage_file(file.readable_path, 24, whole.substr(24, 1));
      verify_bytes(*writer);
    }
  }
}

TEST_CASE("read back: damaged textures are refused") {
  for (const char* name : {"a.exr", "a.png"}) {
    CAPTURE(name);
    const auto refuse_changed = [&](const auto& change) {
      const TwoByTwoTexture texture(name);
      change(texture);
      check_reading_fails([&] { return read_vat(texture.files); });
    };
    refuse_changed([](const TwoByTwoTexture& t) { t.change_texcoord(1); });
    refuse_changed([](const TwoByTwoTexture& t) { t.change_texcoord(-0.5F); });
    refuse_changed([](const TwoByTwoTexture& t) { t.change_sidecar("width", 4); });
    refuse_changed([](const TwoByTwoTexture& t) { t.change_sidecar("rows_per_frame", 2); });
    refuse_changed([](const TwoByTwoTexture& t) { write_file(t.files.sidecar, "{}"); });
    refuse_changed([](const TwoByTwoTexture& t) { write_file(t.files.mesh, "glTF"); });
    refuse_changed([](const TwoByTwoTexture& t) {
      write_file(t.files.mesh, replaced(read_file(t.files.mesh), "TEXCOORD_1", "TEXCOORD_2"));
    });
    refuse_changed(
        [](const TwoByTwoTexture& t) { write_file(t.files.positions.texture, "no image"); });
  }
  const TwoByTwoTexture png("a.png");
  test::damage_file(png.files.positions.texture, read_file(png.files.positions.texture).size() - 60,
                    "x");
  check_reading_fails([&] { return read_vat(png.files); });  // wrong checksum
}

TEST_CASE("read back: a split texture gives the positions of both images together") {
  const TwoByTwoTexture split("a.png", true);
  CHECK(split.rows() == kRows);
  // High bytes of 255 and low bytes of 0: 65280 of 65535 of the displacement of 8.
  write_file(split.files.positions.low, still_image(2));
  CHECK(split.rows()[8] == doctest::Approx(3 + 8 * 65280.0 / 65535));
  write_file(split.files.positions.low, read_file(split.files.positions.texture));
  write_file(split.files.positions.texture, still_image(2));
  CHECK(split.rows()[8] == doctest::Approx(3 + 8 * 255.0 / 65535));
}

TEST_CASE("read back: damaged low bytes are refused, by the name of their file") {
  const TwoByTwoTexture whole("a.png");
  const std::string good = read_file(TwoByTwoTexture("a.png", true).files.positions.low);
  std::string bad_checksum = good;
  bad_checksum[good.size() - 60] ^= 1;
  const std::string invalid = "CACHE_INVALID", short_file = "FILE_UNREADABLE";
  for (const auto& damage :
       {std::pair{read_file(whole.files.positions.texture), invalid},  // 16 bits
        {still_image(3), invalid},                                     // another size
        {bad_checksum, invalid},
        {"no image", invalid},
        {good.substr(0, good.size() / 2), short_file},
        {good.substr(0, good.size() - 12), short_file},  // no IEND
        {good.substr(0, 20), short_file},
        {"", short_file}}) {
    CAPTURE(damage.first.size());
    const TwoByTwoTexture split("a.png", true);
    const std::string& low = split.files.positions.low;
    write_file(low, damage.first);
    check_reading_fails([&] { return read_vat(split.files); }, low, damage.second);
  }
  const TwoByTwoTexture split("a.png", true);
  write_file(split.files.positions.texture, read_file(whole.files.positions.texture));
  check_reading_fails([&] { return read_vat(split.files); }, split.files.positions.texture);
}

}  // namespace skinbake
