#include <doctest/doctest.h>

#include <set>

#include "skinbake/caches.h"
#include "skinbake/error.h"

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

TEST_CASE("formats: the case of an extension does not matter") {
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

TEST_CASE("formats: a cache without a reader is an unsupported input") {
  for (const char* path : {"run.xyz", "run", ""}) {
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

}  // namespace skinbake
