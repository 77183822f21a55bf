#include <doctest/doctest.h>

#include <set>

#include "caches/format_list.h"
#include "skinbake/caches.h"
#include "skinbake/error.h"
#include "support/caches/two_by_two.h"
#include "support/temporary_folder.h"

namespace skinbake {

TEST_CASE("formats: ids and extensions are distinct, and each can be opened") {
  std::set<std::string_view> ids, extensions;
  for (const CacheFormat& format : cache_formats()) {
    CHECK(ids.insert(format.id).second);
    CHECK(extensions.insert(format.extension).second);
    CHECK(format.extension.starts_with('.'));
    CHECK_FALSE(format.title.empty());
    CHECK_FALSE(format.opened_by.empty());
    CHECK_FALSE(format.bound.empty());
    CHECK((format.open != nullptr));
    CHECK(&cache_format_of("folder/x" + std::string(format.extension)) == &format);
  }
  CHECK_FALSE(ids.empty());
}

TEST_CASE("formats: extensions are case-insensitive") {
  CHECK(cache_format_of("RUN.PC2").id == "pc2");
  CHECK(cache_format_of("a.b.Pc2").id == "pc2");
  CHECK(cache_format_of("run.Exr").id == "vat");
  CHECK(cache_format_of("run.PNG").id == "vat");
}

TEST_CASE("formats: an unknown extension is a usage error that names the known ones") {
  for (const char* path : {"run.xyz", "run", "pc2", "run.pc2.gz", ""}) {
    CAPTURE(path);
    try {
      cache_format_of(path);
      FAIL("accepted");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kUsage);
      CHECK(error.code() == "FORMAT_UNKNOWN");
      CHECK(std::string(error.what()).find(".pc2") != std::string::npos);
    }
  }
}

TEST_CASE("formats: a cache that no format can read, or only write, is an unsupported input") {
  for (const char* path : {"run.xyz", "run", "", "run.exr", "run.png", "run.usda"}) {
    CAPTURE(path);
    try {
      open_cache(path);
      FAIL("accepted");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kInput);
      CHECK(error.code() == "CACHE_UNSUPPORTED");
      CHECK(std::string(error.what()).find(".pc2") != std::string::npos);
    }
  }
  CHECK_THROWS_AS(open_cache("there/is/no.pc2"), Error);
}

TEST_CASE("formats: those of one rate refuse the end of a clip between two frames") {
  CHECK(formats_with_times() == "mdd, glb, usda");
  const test::TwoByTwo two;
  for (const CacheFormat& format : cache_formats()) {
    if (format.holds_times) continue;
    CAPTURE(format.id);
    const test::TemporaryFolder folder;
    CacheHeader header = two.header(3);
    header.frames = {30, 4, 2, 3, 7.5 / 30};
    const auto refusal = [&] {
      try {
        format.open(folder / ("a" + std::string(format.extension)), header);
        return std::string("accepted");
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::kUsage);
        CHECK(error.code() == "CACHE_UNSUITABLE");
        return error.message();
      }
    };
    CHECK(refusal().find("at 0.25 s, between two frames at 30 fps") != std::string::npos);
    CHECK(refusal().ends_with(": mdd, glb, usda"));
    if (!format.holds_clips) {
      header.rig = nullptr;  // of another cache, without triangles
      header.mesh.vertex_count = 2;
      CHECK(refusal().ends_with(": mdd"));
    }
    CHECK(folder.entry_count() == 0);
  }
}

TEST_CASE("formats: options are listed with all their values") {
  CHECK(options_text(cache_format_of("a.pc2")).empty());
  CHECK(options_text(cache_format_of("a.npy")) == "precision=single|half");
  CHECK(options_text(cache_format_of("a.glb")) ==
        "interpolation=linear|step, quantize=0|1, bits=8|9|…|16, meshopt=0|1, normals=0|1, "
        "tangents=0|1, split=0|1, targets=16|32|…|2048");
  CHECK(options_text(cache_format_of("a.usda")) == "normals=0|1");
  CHECK(options_text(cache_format_of("a.exr")) ==
        "layout=unreal|openvat, precision=single|half, compress=0|1, normals=0|1, split=0|8");
}

TEST_CASE("formats: an option is a listed word or a whole number in its range") {
  const MethodParameter known[] = {
      {.name = "order", .help = "", .choices = "first|second"},
      {.name = "bits", .help = "", .initial = 16, .lowest = 8, .highest = 16, .whole = true},
      format_switch("normals", "")};
  const FormatOptions defaults("x", known, {});
  CHECK(defaults.word("order") == "first");
  CHECK(defaults.number("bits") == 16);
  CHECK_FALSE(defaults.is_on("normals"));
  CHECK_FALSE(defaults.is_given("bits"));
  const FormatOptions given("x", known, {{"order", "second"}, {"bits", "9"}, {"normals", "1"}});
  CHECK(given.word("order") == "second");
  CHECK(given.number("bits") == 9);
  CHECK(given.is_on("normals"));
  CHECK(given.is_given("bits"));
  for (const auto& [name, value] :
       CacheOptions{{"order", "fir"}, {"size", "1"}, {"normals", "2"}, {"", ""}}) {
    CHECK_THROWS_AS(FormatOptions("x", known, {{name, value}}), Error);
  }
  CHECK_THROWS_WITH_AS(FormatOptions("x", known, {{"order", "fir"}}),
                       "format x: 'order' must be first or second, not 'fir'", Error);
  CHECK_THROWS_WITH_AS(
      FormatOptions("x", known, {{"size", "1"}}),
      "format x: no option 'size'; there is: order=first|second, bits=8|9|…|16, normals=0|1",
      Error);
  for (const char* bits : {"", "7", "17", "09", "9.0", " 9", "9x", "0x9", "99999999999"}) {
    CHECK_THROWS_WITH_AS(
        FormatOptions("x", known, {{"bits", bits}}),
        ("format x: 'bits' must be a whole number from 8 to 16, not '" + std::string(bits) + "'")
            .c_str(),
        Error);
  }
}

}  // namespace skinbake
